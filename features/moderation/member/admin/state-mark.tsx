import { useWords } from '#base/web/words.tsx'
import type { states } from '#member/contract.ts'
import css from '#member/admin/member.module.css'

/** The mark of a member's state; an active member has none. */
export function StateMark({ state }: { state: (typeof states)[number] }) {
  const words = useWords('memberAdmin')
  if (state === 'active') return <span className="meta">{words('stateactive')}</span>
  return (
    <span className={css.state} data-state={state}>
      {words(`state${state}`)}
    </span>
  )
}
