import { deedIn } from '#audit/admin/deed-words.ts'
import { storeOf } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'

/** The code of the words that name what a deed was about, where another feature has them; the app sets it. */
export const keyOfName = storeOf<(about: string) => string | null>(() => null)

/** What staff did, in words. */
export function DeedText({ deed }: { deed: string }) {
  const words = useWords('auditAdmin')
  return <span title={deed}>{deedIn(words, deed)}</span>
}
