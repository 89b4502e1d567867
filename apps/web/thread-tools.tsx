import { NameCard } from '#apps/web/name-card.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { sharing } from '#base/web/share.ts'
import { reporting } from '#post/web/post.tsx'

/** Parts shared by all posts of a thread, loaded after the text: name cards, reports, and share cards. */
export function ThreadTools() {
  const report = useLater(
    () => import('#report/web/report.tsx'),
    reporting.use() !== null,
    () => reporting.set(null),
  )
  const share = useLater(
    () => import('#base/web/share-card.tsx'),
    sharing.use() !== null,
    () => sharing.set(null),
  )
  return (
    <>
      <NameCard />
      {report && <report.ReportDialog />}
      {share && <share.ShareCard />}
    </>
  )
}
