import { useMember } from '#account/web/account.tsx'
import { useIdle, useLater } from '#base/web/later.ts'
import css from '#apps/web/list-head.module.css'

/** What a member may do to a whole list; it comes once the page is at rest. */
export function ListMenu({ tagId }: { tagId: string | undefined }) {
  const me = useMember()
  const isIdle = useIdle()
  const deeds = useLater(() => import('#apps/web/list-deeds.tsx'), isIdle && me !== null)
  return <div className={css.menu}>{me && deeds && <deeds.ListDeeds tagId={tagId} />}</div>
}
