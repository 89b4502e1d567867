import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThingView } from '#report/contract.ts'
import { postPath } from '#kind/contract.ts'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/web/report.module.css'

/** A reported post as it was then, with a link to it. */
export function ReportedPost({ thing, isGone = false }: { thing: ThingView; isGone?: boolean }) {
  const words = useWords('report')
  const called = usePostTitle()
  if (!thing.title) return <h2>{words('erased')}</h2>
  const name = thing.kind === 'topic' ? thing.title : words('under', { what: called(thing), title: thing.title })
  return (
    <>
      <h2>{isGone ? name : <Link to={postPath(thing)}>{name}</Link>}</h2>
      {thing.excerpt && <p className={css.excerpt}>{thing.excerpt}</p>}
    </>
  )
}
