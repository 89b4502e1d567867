import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import { useLoaderData, useLocation, useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import '#apps/web/places.ts'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { AuthorCard } from '#apps/web/author-card.tsx'
import type { MemberThread, ThreadData } from '#apps/web/screens/thread.data.ts'
import { useApi } from '#base/web/api.ts'
import { useIdleInUse, useIdlePart, useLater } from '#base/web/lazy-part.ts'
import { Memoized } from '#base/web/memoized.tsx'
import { Place } from '#base/web/places.tsx'
import { useMedia } from '#base/web/media.ts'
import { useCurrentInView } from '#base/web/scrolled-row.ts'
import { Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { Comments } from '#comment/web/comment.tsx'
import { CommentComposer } from '#comment/web/forms.tsx'
import { ThreadProvider, useThread, type ThreadState } from '#comment/web/thread-context.tsx'
import { orderIn, orderQuery, orders, type Order } from '#comment/web/order.ts'
import { Slot } from '#frame/web/frame.tsx'
import { RevealedContext } from '#hidden-part/web/hidden-part.tsx'
import { MineContext } from '#post/web/post.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { useNameOf, type TagList } from '#tag/web/tag.tsx'
import type { seenTopic, TopicLinkView } from '#topic/contract.ts'
import { TopicPost } from '#topic/web/topic-post.tsx'
import css from '#apps/web/screens/thread.module.css'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Buttons in the row of actions of a thread, for members. `readTo` is the read position; null for a first visit. */
    'thread.tools': { topic: ThreadData['topic']; readTo: MemberThread['readTo'] }
    'thread.belowPost': { topic: ThreadData['topic'] }
  }
}

export function Page() {
  return <ThreadPage />
}

type ThreadPageProps = {
  /** Content below the opening post. */
  below?: ReactNode
  /** Overrides for the comments. */
  desk?: Pick<ThreadState, 'bestId' | 'actionsFor'>
  titles?: { byAuthor: string; similar: string } | undefined
}

/** A thread with its comments; a question adds parts of its own. */
export function ThreadPage({ below, desk, titles }: ThreadPageProps) {
  const { topic, list, mine, revealed } = useLoaderData<ThreadData>()
  const { frame } = useSite()
  useCountedView(topic.id)
  useScrollToTarget(list)
  const hidden = useMemo(
    () => ({ seen: revealed, takesComments: topic.takesComments && mine?.can.comment !== false }),
    [revealed, topic, mine],
  )
  return (
    <div className={css.page}>
      <LeftColumn topic={topic} />
      <RevealedContext value={hidden}>
        <MineContext value={mine}>
          <div className={css.thread}>
            <Breadcrumb />
            <Memoized by={(address) => !below && isPlain(topic) && ['topic', topic, address]}>
              <TopicPost
                topic={topic}
                can={mine?.can ?? null}
                tools={mine && <Place name="thread.tools" topic={topic} readTo={mine.readTo} />}
              >
                {below}
              </TopicPost>
            </Memoized>
            <Place name="thread.belowPost" topic={topic} />
            <Slot of={frame} place="belowTopic" />
            <ThreadProvider key={topic.id} topic={topic} mine={mine} list={list} {...desk}>
              <section aria-labelledby="comments" className={css.comments}>
                <Memoized by={(address) => ['comments', topic.commentCount, topic.replyCount, topic.floors, topic.kind, topic.id, address]}>
                  <CommentsBar />
                </Memoized>
                <Comments list={list} />
              </section>
              <PendingPosts />
              <CommentComposer />
            </ThreadProvider>
            <div id="thread-bar" />
          </div>
        </MineContext>
      </RevealedContext>
      <SideColumn titles={titles} />
      <IdleTools />
    </div>
  )
}

/** Without parts, which may change with the time, or with the address. */
function isPlain({ segments, parts }: ThreadData['topic']): boolean {
  return !segments.some(({ hidden }) => hidden) && Object.values(parts).every((part) => !part)
}

function IdleTools() {
  const tools = useIdlePart(() => import('#apps/web/thread-tools.tsx'), useIdleInUse())
  return tools && <tools.ThreadTools />
}

/** The author, and further reading. */
function SideColumn({ titles }: Pick<ThreadPageProps, 'titles'>) {
  const { author, similar, hot, mine } = useLoaderData<ThreadData>()
  const words = useWords('topic')
  return (
    <aside className={`${css.side} rail`}>
      <Memoized by={() => ['beside', author, similar, titles]}>
        <>
          <AuthorCard author={author} isFollowed={mine?.follows.author ?? null} />
          <OtherThreads title={titles?.byAuthor ?? words('byAuthor')} topics={author.topics} />
          <OtherThreads title={titles?.similar ?? words('similar')} topics={similar.slice(0, 8)} />
        </>
      </Memoized>
      <HotTopics topics={hot} />
    </aside>
  )
}

/**
 * The left column of a wide page. It is not rendered on the server: with the counts of the tags, each cached page would
 * expire with every new topic.
 */
function LeftColumn({ topic: { id, kind, place } }: Pick<ThreadData, 'topic'>) {
  const rail = useIdlePart(() => import('#apps/web/thread-rail.tsx'), useMedia('(min-width: 1200px)'))
  return (
    <div className={`${css.rail} rail`}>{rail ? <rail.ThreadRail key={id} tagId={place.id} kind={kind} /> : <Skeleton lines={8} />}</div>
  )
}

function PendingPosts() {
  const { pending } = useLoaderData<ThreadData>()
  const desk = useThread()
  const own = useLater(() => import('#apps/web/own-pending.tsx'), pending.length > 0)
  return own && <own.OwnPending posts={pending} desk={desk} />
}

function Breadcrumb() {
  const { topic } = useLoaderData<ThreadData>()
  const words = useWords('topic')
  const nameOf = useNameOf()
  const { place } = topic
  return (
    <nav className={css.breadcrumb} aria-label={words('breadcrumb')}>
      {place.parent && <Link to={`${listOf(topic.kind)}?tagId=${place.parent.id}`}>{nameOf(place.parent.name)}</Link>}
      <Link to={`${listOf(topic.kind)}?tagId=${place.id}`}>{nameOf(place.name)}</Link>
    </nav>
  )
}

function listOf(kind: ThreadKind): TagList {
  return kind === 'question' ? '/askList' : '/index'
}

// The best answer is above any order. Literal keys, so that these texts load with the page.
const orderWords = { likes: 'mostLiked', asc: 'oldest', desc: 'newest' } as const

function CommentsBar() {
  const { topic } = useLoaderData<ThreadData>()
  const words = useWords('comment', { of: topic.kind })
  const [query] = useSearchParams()
  const now = orderIn(query, topic.kind)
  const isOnlyAuthor = query.get('onlyAuthor') === 'true'
  const row = useCurrentInView<HTMLParagraphElement>()

  function addressOf(onlyAuthor: boolean, order: Order): string {
    return `${threadPath(topic.id, topic.kind)}${orderQuery(order, topic.kind)}${onlyAuthor ? '&onlyAuthor=true' : ''}`
  }

  return (
    <header className={css.bar}>
      <h2 id="comments">{words('count', { count: topic.commentCount, replies: topic.replyCount })}</h2>
      {topic.floors > 1 && (
        <div className={css.ways}>
          <p ref={row} className="scrolled-row">
            <Link to={addressOf(!isOnlyAuthor, now)} aria-current={isOnlyAuthor ? 'true' : undefined} preventScrollReset>
              {words('onlyAuthor')}
            </Link>
            {orders.map((order) => (
              <Link key={order} to={addressOf(isOnlyAuthor, order)} aria-current={order === now ? 'true' : undefined} preventScrollReset>
                {words(orderWords[order])}
              </Link>
            ))}
          </p>
          <span id="reading-menu" className={css.menu} />
        </div>
      )}
    </header>
  )
}

function OtherThreads({ title, topics }: { title: string; topics: readonly TopicLinkView[] }) {
  if (topics.length === 0) return null
  return (
    <section className={css.others}>
      <h2>{title}</h2>
      <ul>
        {topics.map((topic) => (
          <li key={topic.id}>
            <Link to={threadPath(topic.id, topic.kind)}>{topic.title}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useCountedView(topicId: string): void {
  const api = useApi()
  useEffect(() => {
    api
      .read<typeof seenTopic>('/topic/seen', { topicId }, { silent: true })
      .catch((error: unknown) => console.info('The view was not counted', error))
  }, [api, topicId])
}

/** Scrolls to the comment, reply or floor in the address on arrival, but not on revalidation. Otherwise the scroll position is restored. */
function useScrollToTarget({ comments, from, to }: ThreadData['list']): void {
  const [query] = useSearchParams()
  const { key, state } = useLocation()
  const [replyId, commentId, floor] = ['replyId', 'commentId', 'floor'].map((name) => query.get(name))
  const index = query.get('order') === 'desc' ? to - Number(floor) : Number(floor) - from
  const atFloor = floor ? comments[Math.min(Math.max(0, index), comments.length - 1)]?.id : null
  const place = replyId ? `reply-${replyId}` : commentId || atFloor ? `comment-${commentId ?? atFloor}` : null
  const arrive = useEffectEvent(() => {
    const left = state?.at && document.getElementById(state.at)
    const target = place && document.getElementById(place)
    if (left) {
      scrollBy(0, left.getBoundingClientRect().top - state.top)
    } else if (target) {
      target.scrollIntoView({ block: 'center' })
      target.focus({ preventScroll: true })
    }
  })
  const wish = [replyId, commentId, floor].join(' ')
  useEffect(() => arrive(), [wish, key])
}
