import { useNavigate } from 'react-router'
import type { Endpoint } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'

/** Action buttons without a form. */
export function Deeds() {
  const go = useNavigate()
  const deed = useDeed<Endpoint>('/tea/rinse')
  const deeds: [string, () => Promise<unknown>][] = [
    ['Rinse', () => deed.run({ pot: '1' }, { done: 'Rinsed' })],
    ['Rinse another', () => deed.run({ pot: '2' }, { done: 'Rinsed' })],
    ['Rinse and leave', () => deed.run({ pot: '3' }, { done: 'Rinsed', onSuccess: () => go('/away') })],
  ]
  return (
    <p>
      {deeds.map(([name, act]) => (
        <button key={name} type="button" className="button quiet" disabled={deed.isBusy} onClick={() => void act()}>
          {name}
        </button>
      ))}
    </p>
  )
}
