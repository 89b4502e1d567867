import { useEffect, useRef, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Field, Form } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useDay } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { buyMembership, maxQuantity, type CardView, type SpecificationView } from '#membership/contract.ts'
import { CouponField, GiftFields, errorProps, applyOnEnter, Upgrade, type AppliedField } from '#membership/web/buy-fields.tsx'
import { useReceiver } from '#membership/web/membership.tsx'
import { Pay } from '#membership/web/pay.tsx'
import { useQuote, type Quote } from '#membership/web/use-quote.ts'
import css from '#membership/web/buy-panel.module.css'

type Props = { card: CardView; chosen: SpecificationView }
type Purchase = Output<typeof buyMembership> & { receiver: string }

export function BuyPanel({ card, chosen }: Props) {
  const [bought, setBought] = useState<Purchase | null>(null)
  if (bought) return <PurchaseDone card={card} bought={bought} again={() => setBought(null)} />
  return <BuyForm card={card} chosen={chosen} onDone={setBought} />
}

function BuyForm({ card, chosen, onDone }: Props & { onDone: (bought: Purchase) => void }) {
  const words = useWords('membership')
  const initialReceiver = useReceiver()
  const [quantity, setQuantity] = useState('1')
  const [coupon, setCoupon] = useState<AppliedField>({ typed: '', applied: '' })
  const [receiver, setReceiver] = useState<AppliedField>({ typed: initialReceiver, applied: initialReceiver })
  const [isGift, setGift] = useState(initialReceiver !== '')
  const [wantsUpgrade, setUpgrade] = useState(false)
  const to = isGift ? receiver.applied.trim() : ''
  const upgrades = wantsUpgrade && !isGift
  const asks = useQuote({
    specificationId: chosen.id,
    quantity: parseQuantity(quantity),
    ...(coupon.applied.trim() && { coupon: coupon.applied.trim() }),
    ...(to && { receiver: to }),
    upgrades,
  })
  const { quote, errors } = asks
  const isSettled = coupon.typed === coupon.applied && (!isGift || receiver.typed === receiver.applied)
  return (
    <Form
      endpoint={buyMembership}
      extra={{ specificationId: chosen.id, ...seenAmounts(quote), upgrades }}
      onSuccess={(answer) => onDone({ ...answer, receiver: to })}
      onRefused={(fields) => asks.refetch({ withPage: !('quantity' in fields) })}
    >
      <div className={css.fields}>
        <Field
          name="quantity"
          label={words('quantity')}
          type="number"
          min={1}
          max={maxQuantity}
          value={quantity}
          onChange={({ target }) => setQuantity(target.value)}
          onKeyDown={(press) => applyOnEnter(press)}
          {...errorProps(errors['quantity'])}
        />
        <CouponField value={coupon} set={setCoupon} wrong={errors['coupon']} />
      </div>
      {quote?.rest && !isGift && <Upgrade card={card} rest={quote.rest} is={wantsUpgrade} set={setUpgrade} wrong={errors['upgrades']} />}
      <label className={css.tick}>
        <input type="checkbox" checked={isGift} onChange={({ target }) => setGift(target.checked)} />
        {words('asGift')}
      </label>
      {isGift && <GiftFields value={receiver} set={setReceiver} wrong={errors['receiver']} />}
      <Pay quoteState={asks} isGift={isGift} isSettled={isSettled} />
    </Form>
  )
}

/** The amount due that the buyer sees. */
function seenAmounts(quote: Quote | null) {
  return { cash: quote?.toPay.cash ?? '0', points: quote?.toPay.points ?? '0' }
}

// An invalid quantity has no price, and is refused on submission.
function parseQuantity(quantity: string): number {
  const count = Number(quantity)
  return Number.isInteger(count) && count >= 1 && count <= maxQuantity ? count : 1
}

function PurchaseDone({ card, bought, again }: { card: CardView; bought: Purchase; again: () => void }) {
  const words = useWords('membership')
  const language = useLanguage()
  const day = useDay()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  const values = { role: card.role.name[language], until: day(bought.endsAt), name: bought.receiver }
  return (
    <div ref={place} className={css.done} role="status" tabIndex={-1}>
      <p>
        <strong>{words(bought.receiver ? 'doneGift' : 'done', values)}</strong>
      </p>
      <p className="meta">{words('orderNumber', { number: bought.number })}</p>
      <p className="actions">
        <Link to="/user/control/membershipCardOrderList" className="button">
          {words('seeOrders')}
        </Link>
        <button type="button" className="button quiet" onClick={again}>
          {words('buyAnother')}
        </button>
      </p>
    </div>
  )
}
