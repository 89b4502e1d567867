import { storeOf } from '#base/web/store.ts'
import type { NamedPost } from '#kind/contract.ts'
import { useWords } from '#base/web/words.tsx'

/** With the number of what was added to it, where that is what is meant. */
type Post = NamedPost & { id: string; postscript?: number }

/** The post that somebody wants to report. Its button says so, and the screen that shows the post answers. */
export const reporting = storeOf<Post | null>(null)

export function ReportButton(post: Post) {
  const words = useWords('share')
  return (
    <button type="button" className="plain" data-deed="report" onClick={() => reporting.set(post)}>
      {words('report')}
    </button>
  )
}
