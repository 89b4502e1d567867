import { AiMark } from '#ai-label/web/ai-label.tsx'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { OfferView } from '#bounty/contract.ts'
import { BountyMark } from '#bounty/web/bounty.tsx'
import { MutedPost } from '#follow/web/follow.tsx'
import { LockMark } from '#hidden-part/web/hidden-part.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { EnvelopeMark } from '#red-envelope/web/red-envelope.tsx'
import { useSite } from '#setting/web/setting.tsx'
import type { PlaceView } from '#tag/contract.ts'
import { TagLink, type TagList } from '#tag/web/tag.tsx'
import type { ReadingView, TopicCardView } from '#topic/contract.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#topic/web/topic.module.css'

const maxTags = 3

/** The address of the page that edits a thread's opening. */
export function editPath(id: string, kind: ThreadKind): string {
  return kind === 'question' ? `/user/editQuestion?questionId=${id}` : `/user/editTopic?topicId=${id}`
}

export type RowProps = {
  topic: TopicCardView & { isRejected?: boolean; tags?: readonly PlaceView[]; bounty?: OfferView | null }
  /** The list to which its tags link. */
  list?: TagList | undefined
  /** The member's reading state; undefined for visitors and while it loads. */
  reading?: ReadingView | undefined
}

/**
 * A topic in a list: the title, with tags and author below it; at the right the last author and time; one picture, or one line of
 * its text.
 */
export function TopicRow({ topic, list, reading }: RowProps) {
  const words = useWords('topic')
  const path = threadPath(topic.id, topic.kind)
  const isRead = reading && !reading.isUnread && reading.fresh === 0
  const [picture] = topic.pictures
  const { showsExcerpts } = useSite()
  return (
    <MutedPost by={topic.author.id}>
      <article className={css.row} data-read={isRead || undefined} data-pinned={topic.isPinned || undefined}>
        <div className={css.says}>
          <h2>
            <Marks of={topic} />
            <LockMark locks={topic.locks} />
            {topic.bounty && <BountyMark of={topic.bounty} />}
            {topic.hasEnvelope && <EnvelopeMark />}
            <Link to={topic.isPending ? editPath(topic.id, topic.kind) : path}>{topic.title}</Link>
          </h2>
          {!picture && showsExcerpts && topic.summary && <p className={css.excerpt}>{topic.summary}</p>}
        </div>
        <p className={css.meta}>
          {(topic.tags ?? [topic.place]).slice(0, maxTags).map((place) => (
            <TagLink key={place.id} place={place} list={list} />
          ))}
          <Name of={topic.author} withRoles={false} />
          <AiMark label={topic.aiLabel} isShort />
          {topic.questionState && <QuestionMark state={topic.questionState} />}
          {topic.isPending && <span className="mark">{words(topic.isRejected ? 'rejected' : 'pending')}</span>}
          {reading && <Unread of={reading} path={path} />}
        </p>
        {picture && <Thumbnail of={picture} />}
        <TopicStats topic={topic} path={path} />
      </article>
    </MutedPost>
  )
}

/** The member's reading state: the number of new posts since the last visit, or that the thread is unread. */
function Unread({ of: { readTo, fresh, isUnread }, path }: { of: ReadingView; path: string }) {
  const words = useWords('topic')
  if (isUnread)
    return (
      <span className={css.unread}>
        <span className={css.inWords}>{words('notRead')}</span>
      </span>
    )
  if (fresh === 0) return null
  return (
    <Link to={`${path}&floor=${readTo + 1}`} className={css.unread} data-fresh>
      <span className={css.inWords}>{words('fresh', { count: fresh })}</span>
      <span className={css.inShort} aria-hidden="true">
        {fresh}
      </span>
    </Link>
  )
}

/** The last author with the time, the number of comments and, where there is room, the number of views. */
function TopicStats({ topic, path }: { topic: TopicCardView; path: string }) {
  const words = useWords('topic', { of: topic.kind })
  const { kind, author, commentCount, viewCount, publishedAt, lastReplyAt, lastReplyBy } = topic
  const who = lastReplyBy ?? author
  const label = words(lastReplyBy ? 'lastReplyBy' : 'postedBy', { name: who.name })
  const responded = words(kind === 'question' ? 'answers' : 'comments', { count: commentCount })
  return (
    <p className={css.beside}>
      <span className={css.views} title={words('views', { count: viewCount })}>
        <Icon name="eye" size={16} />
        <span aria-hidden="true">{viewCount.toLocaleString('en')}</span>
      </span>
      <Link to={path} className={css.count} aria-label={responded} title={responded}>
        <Icon name="comment" size={16} />
        {commentCount.toLocaleString('en')}
      </Link>
      <span className={css.last} title={label}>
        <Avatar of={who} size={24} />
        <span className="hidden">{label} </span>
        <Time at={lastReplyAt ?? publishedAt} isShort />
      </span>
    </p>
  )
}

// Literals, so that the build finds these catalogue keys in this chunk.
const stateWords = { unanswered: 'unanswered', unresolved: 'unresolved', resolved: 'resolved', withdrawn: 'withdrawn' } as const

export function QuestionMark({ state }: { state: NonNullable<TopicCardView['questionState']> }) {
  const words = useWords('topic')
  return (
    <span className={css.asks} data-state={state}>
      {words(stateWords[state])}
    </span>
  )
}

type MarkedTopic = Pick<TopicCardView, 'isPinned' | 'isFeatured'> & { isClosed?: boolean }

/** The marks that staff gave a topic, and whether a question takes no more answers. */
export function Marks({ of: { isPinned, isFeatured, isClosed = false } }: { of: MarkedTopic }) {
  const words = useWords('topic')
  return (
    <>
      {isPinned && <span className={css.pinned}>{words('pinned')}</span>}
      {isFeatured && <span className={css.featured}>{words('featured')}</span>}
      {isClosed && <span className={css.closed}>{words('closedMark')}</span>}
    </>
  )
}

function Thumbnail({ of: { src, ground } }: { of: TopicCardView['pictures'][number] }) {
  return (
    <img
      className={css.picture}
      data-ground={ground}
      src={`${src}${src.includes('?') ? '&' : '?'}w=240`}
      alt=""
      width={96}
      height={72}
      loading="lazy"
      decoding="async"
    />
  )
}
