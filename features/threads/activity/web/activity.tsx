import type { BestView, WrittenView } from '#activity/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#activity/web/activity.module.css'

export function Activity({ posts }: { posts: readonly (WrittenView | BestView)[] }) {
  return (
    <ol className={css.list}>
      {posts.map((post) => (
        <li key={`${post.kind} ${post.id}`}>
          <ActivityItem post={post} />
        </li>
      ))}
    </ol>
  )
}

function ActivityItem({ post }: { post: WrittenView | BestView }) {
  const words = useWords('activity')
  const titleOf = usePostTitle()
  const isOpening = post.kind === 'topic'
  return (
    <>
      <Link to={postPath(post)} className={css.title}>
        {isOpening ? post.title : post.excerpt || words('pictureOnly')}
      </Link>
      {isOpening && post.excerpt && <p className={css.excerpt}>{post.excerpt}</p>}
      <p className={`meta ${css.about}`}>
        <span>{titleOf(post)}</span>
        {!isOpening && <bdi>{post.title}</bdi>}
        <Time at={post.at} />
        {'likes' in post && <span>{words('likes', { count: post.likes })}</span>}
      </p>
    </>
  )
}

/** The most liked posts, on a member's page. */
export function BestActivity({ posts }: { posts: readonly BestView[] }) {
  const words = useWords('activity')
  if (posts.length === 0) return null
  return (
    <section>
      <h2>{words('best')}</h2>
      <Activity posts={posts} />
    </section>
  )
}

/** The newest posts, on a member's page, with a link to all. */
export function LatestActivity({ posts, userId }: { posts: readonly WrittenView[]; /** Null for one's own. */ userId: string | null }) {
  const words = useWords('activity')
  if (posts.length === 0) return <Empty>{words('none')}</Empty>
  return (
    <section>
      <h2>{words('latest')}</h2>
      <Activity posts={posts} />
      <p className="actions">
        <Link to={`/user/control/userDynamicList${userId ? `?userId=${userId}` : ''}`} className="button quiet">
          {words('all')}
        </Link>
      </p>
    </section>
  )
}
