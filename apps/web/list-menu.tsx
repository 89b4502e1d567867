import { useMember } from '#account/web/account.tsx'
import { useIdleInUse, useIdlePart } from '#base/web/lazy-part.ts'
import type { CurrentList } from '#apps/web/new-topics.tsx'
import css from '#apps/web/list-head.module.css'

/** The menu of a list, with more actions for members; loads once the page is idle and in use. */
export function ListMenu({ tagId, news }: { tagId: string | undefined; news: CurrentList | null }) {
  const me = useMember()
  const actions = useIdlePart(() => import('#apps/web/list-actions.tsx'), useIdleInUse())
  return <div className={css.menu}>{actions && <actions.ListActions tagId={tagId} isMember={Boolean(me)} news={news} />}</div>
}
