import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { TagLink } from '#tag/web/tag.tsx'
import type { TopicCardView } from '#topic/contract.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#topic/web/topic.module.css'

const mostPictures = 4

export function threadPath(topicId: string): string {
  return `/thread?topicId=${topicId}`
}

/** A topic in a list: the title first, then one quiet line; pictures only where there are some. */
export function TopicRow({
  topic,
  fresh,
}: {
  topic: TopicCardView & { isRejected?: boolean }
  fresh?: { readTo: number; fresh: number } | undefined
}) {
  const words = useWords('topic')
  const count = Math.min(999, fresh?.fresh ?? 0)
  return (
    <article className={css.row}>
      <Avatar of={topic.author} size={40} />
      <div className={css.what}>
        <h2>
          <Marks of={topic} />
          <Link to={topic.isPending ? `/user/editTopic?topicId=${topic.id}` : threadPath(topic.id)}>{topic.title}</Link>
        </h2>
        {topic.pictures.length > 0 && <Thumbnails pictures={topic.pictures} />}
        <p className={css.meta}>
          <TagLink place={topic.place} />
          <Name of={topic.author} withRoles={false} />
          <LastReply topic={topic} />
          {topic.isPending && <span className="mark">{words(topic.isRejected ? 'rejected' : 'pending')}</span>}
        </p>
      </div>
      <p className={css.counts}>
        <Link to={threadPath(topic.id)} className={css.count} aria-label={words('comments', { count: topic.commentCount })}>
          {topic.commentCount.toLocaleString('en')}
        </Link>
        {fresh && (
          <Link to={`${threadPath(topic.id)}&floor=${fresh.readTo + 1}`} className={css.fresh} aria-label={words('fresh', { count })}>
            +{count}
          </Link>
        )}
      </p>
    </article>
  )
}

/** What staff marked a topic as. */
export function Marks({ of: { isPinned, isFeatured } }: { of: Pick<TopicCardView, 'isPinned' | 'isFeatured'> }) {
  const words = useWords('topic')
  return (
    <>
      {isPinned && <span className={css.pinned}>{words('pinned')}</span>}
      {isFeatured && <span className={css.featured}>{words('featured')}</span>}
    </>
  )
}

function LastReply({ topic: { lastReplyAt, lastReplyBy, publishedAt } }: { topic: TopicCardView }) {
  const words = useWords('topic')
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
          src={`${picture.src}?w=240`}
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
