import { useRef, type ReactNode } from 'react'
import { Link } from '#base/web/link.tsx'
import { Segments } from '#base/web/html.tsx'
import { Memoized } from '#base/web/memoized.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { InlinePlace } from '#base/web/places.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import { useWords } from '#base/web/words.tsx'
import type { CommentView } from '#comment/contract.ts'
import { floorPath } from '#comment/web/floor-path.ts'
import { useBestFirst, useThread, type CommentList } from '#comment/web/thread-context.tsx'
import { Replies } from '#comment/web/reply.tsx'
import { PostTime } from '#comment/web/post-time.tsx'
import { MutedPost } from '#follow/web/follow.tsx'
import { HiddenPart, useContentKey } from '#hidden-part/web/hidden-part.tsx'
import { threadPath } from '#kind/contract.ts'
import { Translated } from '#post/web/post.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#comment/web/comment.module.css'

export { useThread } from '#comment/web/thread-context.tsx'

/** The comments of a thread, paginated unless the reader chose another layout. */
export function Comments({ list }: { list: CommentList }) {
  const { tools, topic, bestId } = useThread()
  const bestFirst = useBestFirst()
  if (tools?.List) return <tools.List list={list} />
  // The way to open a hidden part leads back to the address of the page.
  return (
    <>
      <ol className={css.list}>
        {bestFirst(list.comments, list.page).map((comment) => (
          <Memoized
            key={comment.id}
            by={() => !comment.segments.some(({ hidden }) => hidden) && ['comment', comment, bestId, topic.id, topic.kind, topic.author.id]}
          >
            <Comment comment={comment} />
          </Memoized>
        ))}
      </ol>
      <Memoized by={(address) => ['pages', list.page, list.pages, list.total, address]}>
        <Pagination page={list.page} pages={list.pages} total={list.total} />
      </Memoized>
    </>
  )
}

/** A floor with its replies and, in the tree layout, its subtree. */
export function Comment({ comment, children }: { comment: CommentView; children?: ReactNode }) {
  const { tools, bestId } = useThread()
  return (
    <li
      id={`comment-${comment.id}`}
      data-floor={comment.floor}
      data-best={comment.id === bestId || undefined}
      tabIndex={-1}
      className={css.comment}
    >
      {tools?.above(comment)}
      {comment.author ? (
        <MutedPost by={comment.author.id}>
          <Floor comment={comment} author={comment.author} />
        </MutedPost>
      ) : (
        <EmptyFloor comment={comment} />
      )}
      <Replies comment={comment} />
      {children}
    </li>
  )
}

function EmptyFloor({ comment }: { comment: CommentView }) {
  const words = useWords('comment', { of: useThread().topic.kind })
  return (
    <p className={css.gone}>
      {comment.movedTo ? <Moved to={comment.movedTo} /> : words('deleted')} <FloorLink comment={comment} />
    </p>
  )
}

function Moved({ to: { topicId, commentId, title } }: { to: NonNullable<CommentView['movedTo']> }) {
  const { topic } = useThread()
  const words = useWords('comment', { of: topic.kind })
  if (topicId === topic.id) return words('nowOpening')
  return (
    <span>
      {words('movedTo')} <Link to={commentId ? floorPath(topicId, commentId) : threadPath(topicId)}>{title}</Link>
    </span>
  )
}

function Floor({ comment, author }: { comment: CommentView; author: NonNullable<CommentView['author']> }) {
  const { topic, writing, actions, bestId } = useThread()
  const words = useWords('comment', { of: topic.kind })
  const body = useRef<HTMLDivElement>(null)
  usePostTools(body, useContentKey(comment.segments))
  if (actions && writing?.kind === 'edit' && writing.of === 'comment' && writing.id === comment.id) return <actions.EditForm {...writing} />
  return (
    <article data-ai-generated={comment.aiLabel ?? undefined}>
      <header className={css.by}>
        <Avatar of={author} size={32} />
        <span className={css.who}>
          <Name of={author} />
          {author.id === topic.author.id && <span className="mark">{words('author')}</span>}
          {bestId === comment.id && <span className={css.best}>{words('best')}</span>}
          <InlinePlace name="remark.by" post={comment} />
          <PostTime post={comment} />
        </span>
        <FloorLink comment={comment} />
        <span className={css.menu}>{actions && <actions.RemarkMenu kind="comment" post={comment} commentId={comment.id} />}</span>
      </header>
      <div className={css.body} ref={body}>
        {comment.quote && <Quote quote={comment.quote} />}
        <Translated of={{ kind: 'comment', id: comment.id }}>
          <Segments segments={comment.segments} renderHidden={(part) => <HiddenPart of={part} />} />
        </Translated>
      </div>
      <InlinePlace name="comment.belowText" comment={comment} className={css.below} />
      <div className={css.actions}>
        <InlinePlace name="remark.actions" kind="comment" post={comment} authorId={author.id} />
        {actions && <actions.RemarkActions kind="comment" post={comment} commentId={comment.id} answers={null} quotes={comment} />}
      </div>
    </article>
  )
}

function FloorLink({ comment }: { comment: CommentView }) {
  const { topic } = useThread()
  const words = useWords('comment')
  return (
    <Link to={floorPath(topic.id, comment.id, topic.kind)} className={css.floor} aria-label={words('floorLink', { floor: comment.floor })}>
      #{comment.floor}
    </Link>
  )
}

/** The quoted comment in its current form, folded to two lines. */
function Quote({ quote }: { quote: NonNullable<CommentView['quote']> }) {
  const words = useWords('comment')
  if (quote.isDeleted) return <p className={css.quote}>{words('quoteDeleted', { floor: quote.floor })}</p>
  return (
    <div className={css.quote} data-quote>
      <Link to={floorPath(quote.topicId, quote.commentId)}>{quote.floor ? `#${quote.floor}` : words('opening')}</Link>{' '}
      <bdi>{quote.author?.name}</bdi>
      <details>
        <summary>
          <span>
            {quote.only && words(`${quote.only}Only`)} <bdi>{quote.text}</bdi>
          </span>
        </summary>
      </details>
    </div>
  )
}
