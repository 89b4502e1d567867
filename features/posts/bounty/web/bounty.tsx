import { useState } from 'react'
import { Link } from '#base/web/link.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { bountyForm, BountyView, OfferView } from '#bounty/contract.ts'
import { Name } from '#user/web/user.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#bounty/web/bounty.module.css'

export type Offering = Output<typeof bountyForm>

/** `50 points and ¥5.00`, in the reader's language. */
export function useOfferText(): (offer: OfferView) => string {
  const words = useWords('bounty')
  const language = useLanguage()
  return ({ points, cash }) =>
    [points !== null && words('points', { points: Number(points) }), cash !== null && amountText(cash, 'cny', language)]
      .filter((one) => one !== false)
      .join(words('and'))
}

export function BountyMark({ of: offer }: { of: OfferView }) {
  const words = useWords('bounty')
  const offerText = useOfferText()
  return <span className={css.mark}>{words('mark', { amount: offerText(offer) })}</span>
}

type BoxProps = {
  questionId: string
  bounty: BountyView
  /** The limits of an offer for the asker; null for others. */
  offering: Offering | null
}

/** The offer and its deadline, or its payouts. */
export function Bounty({ questionId, bounty, offering }: BoxProps) {
  const words = useWords('bounty')
  const offerText = useOfferText()
  const [isRaising, setRaising] = useState(false)
  const form = useLater(
    () => import('#bounty/web/raise-form.tsx'),
    isRaising,
    () => setRaising(false),
  )
  const isOpen = bounty.state === 'open'
  return (
    <section className={css.bounty} aria-label={words('bounty')}>
      <p>
        <strong>{words(isOpen ? 'open' : 'paid', { amount: offerText(bounty) })}</strong>
        {isOpen && (
          <span className="meta">
            {words('ends')} <Time at={bounty.endsAt} />
          </span>
        )}
        {offering && (
          <button type="button" className="plain" aria-expanded={isRaising} onClick={() => setRaising(!isRaising)}>
            {words('raiseOrProlong')}
          </button>
        )}
      </p>
      {bounty.shares.length > 0 && (
        <ul>
          {bounty.shares.map(({ commentId, member, ...got }) => (
            <li key={commentId}>
              {member && <Name of={member} />}{' '}
              <Link to={`/question?questionId=${questionId}&commentId=${commentId}`}>{offerText(got)}</Link>
            </li>
          ))}
        </ul>
      )}
      {offering && isRaising && form && (
        <form.RaiseForm questionId={questionId} bounty={bounty} offering={offering} close={() => setRaising(false)} />
      )}
    </section>
  )
}
