import { useMember } from '#account/web/account.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#apps/web/layout.module.css'

/** A banner on every page of a member whose registration awaits approval. */
export function PendingApproval() {
  const words = useWords('site')
  const joining = useMember()?.joining
  if (!joining) return null
  return (
    <p className={`note ${css.state}`} role="status">
      {joining.isRefused ? words('refusedByStaff', { reason: joining.reason }) : words('waitsForStaff')}
    </p>
  )
}
