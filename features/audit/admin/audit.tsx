import { deedIn } from '#audit/admin/deed-words.ts'
import { useWords } from '#base/web/words.tsx'

/** What staff did, in words. */
export function DeedText({ deed }: { deed: string }) {
  const words = useWords('auditAdmin')
  return <span title={deed}>{deedIn(words, deed)}</span>
}
