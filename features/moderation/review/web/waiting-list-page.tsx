import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { OwnWaitingView, ownWaiting } from '#review/contract.ts'
import { WaitingPost } from '#review/web/waiting-post.tsx'
import { editPath } from '#topic/web/topic.tsx'
import css from '#review/web/waiting-post.module.css'

/** All posts of mine that wait or were rejected. */
export function Page() {
  const words = useWords('review')
  const { posts } = useLoaderData<Output<typeof ownWaiting>>()
  const around = (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      {posts.length === 0 && <Empty action={around}>{words('none')}</Empty>}
      {posts.map((post) => (
        <WaitingPost key={`${post.kind} ${post.postId}`} post={post} change={<Change post={post} />}>
          <Heading post={post} />
        </WaitingPost>
      ))}
    </section>
  )
}

function Change({ post }: { post: OwnWaitingView }) {
  const words = useWords('review')
  const to =
    post.kind === 'topic'
      ? editPath(post.topicId, post.thread)
      : `${threadPath(post.topicId, post.thread)}#change-${post.kind}-${post.postId}`
  return <Link to={to}>{words('change')}</Link>
}

function Heading({ post: { kind, thread, topicId, topicTitle, title } }: { post: OwnWaitingView }) {
  const words = useWords('review')
  if (kind === 'topic') return <h2 className={css.title}>{title ?? topicTitle}</h2>
  return (
    <p className="meta">
      <Link to={threadPath(topicId, thread)}>{words('inTopic', { title: topicTitle })}</Link>
    </p>
  )
}
