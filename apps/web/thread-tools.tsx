import { NameCard } from '#apps/web/name-card.tsx'
import { useLater } from '#base/web/later.ts'
import { reporting } from '#post/web/post.tsx'

/** What belongs to all posts of a thread, and comes after the text: who somebody is, and reports. */
export function ThreadTools() {
  const report = useLater(
    () => import('#report/web/report.tsx'),
    reporting.use() !== null,
    () => reporting.set(null),
  )
  return (
    <>
      <NameCard />
      {report && <report.ReportDialog />}
    </>
  )
}
