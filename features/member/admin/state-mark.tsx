import { useWords } from '#base/web/words.tsx'
import type { states } from '#member/contract.ts'
import css from '#member/admin/member.module.css'

/** How a member stands; who simply is a member needs no mark. */
export function StateMark({ state }: { state: (typeof states)[number] }) {
  const words = useWords('memberAdmin')
  if (state === 'active') return <span className="meta">{words('stateactive')}</span>
  return (
    <span className={css.state} data-state={state}>
      {words(`state${state}`)}
    </span>
  )
}
