import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { useForm } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useDay } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { usePrice } from '#membership/web/price.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { Quote, useQuote } from '#membership/web/use-quote.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#membership/web/buy-panel.module.css'

type Props = {
  quoteState: ReturnType<typeof useQuote>
  isGift: boolean
  /** The quote was requested for the current fields. */
  isSettled: boolean
}

/** The amount due, the duration, the funds, and the button; or the shortfall, and the link to a top-up. */
export function Pay({ quoteState: { quote, errors, hasFailed, isCurrent, refetch }, isSettled, isGift }: Props) {
  const words = useWords('membership')
  const price = usePrice()
  const { isBusy } = useForm()
  const atNoField = Object.entries(errors).flatMap(([name, message]) => (fields.has(name) ? [] : [message]))
  const isReady = isCurrent && isSettled && !isBusy
  // Only an amount that is on the page is paid.
  const hold = (click: MouseEvent) => !isReady && click.preventDefault()
  return (
    <div className={css.pay}>
      {quote && atNoField.length === 0 && <Sums quote={quote} isGift={isGift} />}
      {(hasFailed || atNoField.length > 0) && (
        <p className="wrong" role="alert">
          {atNoField.join('\n') || words('quoteFailed')}{' '}
          {hasFailed && (
            <button type="button" className="plain" onClick={() => refetch()}>
              {words('checkAgain')}
            </button>
          )}
        </p>
      )}
      {atNoField.length > 0 ? null : quote && (quote.missing.cash || quote.missing.points) ? (
        <Missing quote={quote} refetch={refetch} />
      ) : (
        <p className="actions">
          <button className="button" aria-disabled={!isReady || undefined} data-busy={!isReady || undefined} onClick={hold}>
            {quote ? payWords() : words('buyTitle')}
          </button>
        </p>
      )}
    </div>
  )

  function payWords(): string {
    if (!quote?.toPay.cash && !quote?.toPay.points) return words('buyFree')
    return words(isGift ? 'giveFor' : 'buyFor', { price: price(quote.toPay) })
  }
}

const fields = new Set(['quantity', 'coupon', 'receiver', 'upgrades', 'note'])

function Sums({ quote, isGift }: { quote: NonNullable<Props['quoteState']['quote']>; isGift: boolean }) {
  const words = useWords('membership')
  const price = usePrice()
  const day = useDay()
  const { discount, rest, toPay, have, heldUntil, endsAt, receiver, upgrades } = quote
  const hasDiscount = discount.cash !== null || discount.points !== null
  const isLess = JSON.stringify(toPay) !== JSON.stringify(quote.price)
  const until = { until: day(endsAt), name: receiver ?? '' }
  return (
    <>
      <dl className={css.sums} aria-label={words('summary')}>
        {isLess && <Line name={words('price')} sum={price(quote.price)} />}
        {hasDiscount && <Line name={words('discount')} sum={`− ${price(discount)}`} />}
        {rest && upgrades && <Line name={words('restLine')} sum={`− ${price(rest)}`} />}
        <Line name={words('toPay')} sum={price(toPay)} isDue />
      </dl>
      <p className={css.until}>
        {!receiver && !isGift && words('until', until)}
        {receiver && words('untilGift', until)}{' '}
        {!receiver && !isGift && heldUntil && <span className="meta">{words('extends', { held: day(heldUntil) })}</span>}
      </p>
      <p className="meta">{words('have', { have: price({ cash: have.cash, points: have.points ?? '0' }, 'and') })}</p>
    </>
  )
}

function Line({ name, sum, isDue }: { name: string; sum: string; isDue?: boolean }) {
  return (
    <div data-due={isDue}>
      <dt>{name}</dt>
      <dd>{sum}</dd>
    </div>
  )
}

/** The link that tops up the shortfall and returns here, if top-ups are enabled; otherwise to the balance. */
function useTopUpPath(missing: string): string {
  const { open } = useSite()
  const { pathname, search } = useLocation()
  const query = new URLSearchParams({ amount: missing, returnTo: `${pathname}${search}` })
  return open.topUps ? `/user/control/payment?${query}` : '/user/control/balance'
}

function Missing({ quote: { missing }, refetch }: { quote: Quote; refetch: () => void }) {
  const words = useWords('membership')
  const language = useLanguage()
  const topUpPath = useTopUpPath(missing.cash ?? '')
  return (
    <div className="note" role="alert">
      {missing.cash && (
        <p>
          {words('short', { amount: amountText(missing.cash, 'cny', language) })} <Link to={topUpPath}>{words('topUp')}</Link>
        </p>
      )}
      {missing.points && (
        <p>
          {words('short', { amount: words('points', { count: Number(missing.points) }) })}{' '}
          <Link to="/user/control/point">{words('earnPoints')}</Link>
        </p>
      )}
      <button type="button" className="button quiet" onClick={() => refetch()}>
        {words('checkAgain')}
      </button>
    </div>
  )
}
