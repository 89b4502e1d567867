import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThingView } from '#report/contract.ts'
import css from '#report/web/report.module.css'

/** A post that was reported, as it read then, with the way to it. */
export function Thing({ thing, isGone = false }: { thing: ThingView; isGone?: boolean }) {
  const words = useWords('report')
  if (!thing.title) return <h2>{words('erased')}</h2>
  const title = thing.kind === 'topic' ? thing.title : words(`${thing.kind}Under`, { title: thing.title })
  return (
    <>
      <h2>{isGone ? title : <Link to={pathOf(thing)}>{title}</Link>}</h2>
      {thing.excerpt && <p className={css.excerpt}>{thing.excerpt}</p>}
    </>
  )
}

function pathOf({ kind, id, topicId, commentId }: ThingView): string {
  const comment = commentId ? `&commentId=${commentId}` : ''
  return `/thread?topicId=${topicId}${comment}${kind === 'reply' ? `&replyId=${id}` : ''}`
}
