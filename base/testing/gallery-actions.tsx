import { useNavigate } from 'react-router'
import type { Endpoint } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'

/** Action buttons without a form. */
export function Actions() {
  const go = useNavigate()
  const action = useAction<Endpoint>('/tea/rinse')
  const actions: [string, () => Promise<unknown>][] = [
    ['Rinse', () => action.run({ pot: '1' }, { message: 'Rinsed' })],
    ['Rinse another', () => action.run({ pot: '2' }, { message: 'Rinsed' })],
    ['Rinse and leave', () => action.run({ pot: '3' }, { message: 'Rinsed', onSuccess: () => go('/away') })],
  ]
  return (
    <p>
      {actions.map(([name, act]) => (
        <button key={name} type="button" className="button quiet" disabled={action.isBusy} onClick={() => void act()}>
          {name}
        </button>
      ))}
    </p>
  )
}
