import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { OfferView } from '#bounty/contract.ts'
import { BountyMark } from '#bounty/web/bounty.tsx'
import { Muted } from '#follow/web/follow.tsx'
import { LockMark } from '#hidden-part/web/hidden-part.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import type { PlaceView } from '#tag/contract.ts'
import { TagLink, type TagList } from '#tag/web/tag.tsx'
import type { TopicCardView } from '#topic/contract.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#topic/web/topic.module.css'

const mostPictures = 4

/** Where one edits the opening of a thread. */
export function editPath(id: string, kind: ThreadKind): string {
  return kind === 'question' ? `/user/editQuestion?questionId=${id}` : `/user/editTopic?topicId=${id}`
}

/** A topic in a list: the title first, then one quiet line; pictures only where there are some. */
export function TopicRow({
  topic,
  fresh,
  list,
}: {
  topic: TopicCardView & { isRejected?: boolean; tags?: readonly PlaceView[]; bounty?: OfferView | null }
  /** Where its tags lead. */
  list?: TagList
  fresh?: { readTo: number; fresh: number } | undefined
}) {
  const words = useWords('topic')
  const path = threadPath(topic.id, topic.kind)
  return (
    <Muted by={topic.author.id}>
      <article className={css.row}>
        <Avatar of={topic.author} size={40} />
        <div className={css.what}>
          <h2>
            <Marks of={topic} />
            <LockMark locks={topic.locks} />
            {topic.bounty && <BountyMark of={topic.bounty} />}
            <Link to={topic.isPending ? editPath(topic.id, topic.kind) : path}>{topic.title}</Link>
          </h2>
          {topic.tags && (
            <p className={css.tags}>
              {topic.tags.map((place) => (
                <TagLink key={place.id} place={place} list={list} />
              ))}
            </p>
          )}
          {topic.pictures.length > 0 && <Thumbnails pictures={topic.pictures} />}
          <p className={css.meta}>
            {!topic.tags && <TagLink place={topic.place} />}
            <Name of={topic.author} withRoles={false} />
            <LastReply topic={topic} />
            {list === '/askList' && <span className={css.views}>{words('views', { count: topic.viewCount })}</span>}
            {topic.isPending && <span className="mark">{words(topic.isRejected ? 'rejected' : 'pending')}</span>}
          </p>
        </div>
        <Counts topic={topic} fresh={fresh} />
      </article>
    </Muted>
  )
}

type CountsProps = { topic: TopicCardView; fresh: { readTo: number; fresh: number } | undefined }

function Counts({ topic, fresh }: CountsProps) {
  const words = useWords('topic')
  const count = Math.min(999, fresh?.fresh ?? 0)
  const path = threadPath(topic.id, topic.kind)
  return (
    <p className={css.counts}>
      <Link
        to={path}
        className={css.count}
        aria-label={words(topic.kind === 'question' ? 'answers' : 'comments', { count: topic.commentCount })}
      >
        {topic.commentCount.toLocaleString('en')}
      </Link>
      {fresh && (
        <Link to={`${path}&floor=${fresh.readTo + 1}`} className={css.fresh} aria-label={words('fresh', { count })}>
          +{count}
        </Link>
      )}
      {topic.questionState && <QuestionMark state={topic.questionState} />}
    </p>
  )
}

// Written out, so that these words come with what shows them.
const stateWords = { unanswered: 'unanswered', unresolved: 'unresolved', resolved: 'resolved', withdrawn: 'withdrawn' } as const

/** How a question stands. */
export function QuestionMark({ state }: { state: NonNullable<TopicCardView['questionState']> }) {
  const words = useWords('topic')
  return (
    <span className={css.asks} data-state={state}>
      {words(stateWords[state])}
    </span>
  )
}

type Marked = Pick<TopicCardView, 'isPinned' | 'isFeatured'> & { isClosed?: boolean }

/** What staff marked a topic as, and whether a question takes no answers any more. */
export function Marks({ of: { isPinned, isFeatured, isClosed = false } }: { of: Marked }) {
  const words = useWords('topic')
  return (
    <>
      {isPinned && <span className={css.pinned}>{words('pinned')}</span>}
      {isFeatured && <span className={css.featured}>{words('featured')}</span>}
      {isClosed && <span className={css.closed}>{words('closedMark')}</span>}
    </>
  )
}

function LastReply({ topic: { kind, lastReplyAt, lastReplyBy, publishedAt } }: { topic: TopicCardView }) {
  const words = useWords('topic', { of: kind })
  if (!lastReplyAt || !lastReplyBy) return <Time at={publishedAt} />
  return (
    <span className={css.last}>
      <Time at={lastReplyAt} />
      <span className={css.by}> · {words('lastReplyBy', { name: lastReplyBy.name })}</span>
    </span>
  )
}

function Thumbnails({ pictures }: { pictures: TopicCardView['pictures'] }) {
  return (
    <p className={css.pictures} aria-hidden="true">
      {pictures.slice(0, mostPictures).map((picture) => (
        <img
          key={picture.src}
          src={`${picture.src}${picture.src.includes('?') ? '&' : '?'}w=240`}
          alt=""
          width={picture.width}
          height={picture.height}
          loading="lazy"
          decoding="async"
        />
      ))}
    </p>
  )
}
