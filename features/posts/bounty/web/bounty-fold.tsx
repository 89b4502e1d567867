import { useState } from 'react'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { BountyFields } from '#bounty/web/bounty-fields.tsx'
import type { Offering } from '#bounty/web/bounty.tsx'
import { typedOffer } from '#bounty/web/typed-offer.ts'
import css from '#bounty/web/bounty.module.css'

type FoldProps = { offering: Offering; first: Record<string, string> }

const names = ['bountyPoints', 'bountyCash', 'bountyDays']

/** The fields of an offer, folded at first. The line above repeats the amounts, because they are submitted folded or not. */
export function BountyFold({ offering, first }: FoldProps) {
  const words = useWords('bounty')
  const { errors } = useForm()
  const [typed, setTyped] = useState({ bountyPoints: first['bountyPoints'] ?? '', bountyCash: first['bountyCash'] ?? '' })
  const { bountyPoints: points, bountyCash: cash } = typed
  const [isOpen, setOpen] = useState(points !== '' || cash !== '')
  if (!offering.points && !offering.cash) return null
  const isWrong = names.some((name) => errors[name] !== undefined)
  const offered = typedOffer(words, { points, cash })
  return (
    <details
      className={css.fold}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.name in typed) setTyped({ ...typed, [target.name]: target.value.trim() })
      }}
    >
      <summary>{offered ? words('offered', { amount: offered }) : words('add')}</summary>
      <BountyFields offering={offering} first={first} />
    </details>
  )
}
