import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { Currency } from '#wallet/contract.ts'
import type { wallet } from '#wallet/log-contract.ts'
import css from '#wallet/web/wallet.module.css'

type AmountProps = {
  /** As the API returns it: `20`, or `-12.50` yuan. */
  of: string
  currency: Currency
  /** Shows the sign, for an income or expense. */
  isMove?: boolean
}

/** An amount in the reader's language; points are a plain number. */
export function Amount({ of, currency, isMove = false }: AmountProps) {
  const language = useLanguage()
  const way = isMove ? (of.startsWith('-') ? 'out' : 'in') : undefined
  return (
    <span className={css.amount} data-way={way}>
      {amountText(of, currency, language, isMove)}
    </span>
  )
}

export function amountText(of: string, currency: Currency, language: string, isMove = false): string {
  const money = { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' } as const
  const sign = { signDisplay: isMove ? 'exceptZero' : 'auto' } as const
  // A number represents the fifteen digits of an account exactly.
  return new Intl.NumberFormat(language, { ...(currency === 'cny' && money), ...sign }).format(Number(of))
}

/** The amount of opened red envelopes that is not paid yet; renders nothing if there is none. */
export function Coming({ amount, currency }: { amount: string; currency: Currency }) {
  const words = useWords('wallet')
  const language = useLanguage()
  const count = Number(amount)
  if (count === 0) return null
  return (
    <p className="meta">
      {currency === 'points'
        ? words('pointsComing', { points: count })
        : words('cashComing', { amount: amountText(amount, currency, language) })}
    </p>
  )
}

export function Balances({ has: { points, cny } }: { has: Output<typeof wallet> }) {
  const words = useWords('wallet')
  return (
    <ul className={css.purse}>
      <li>
        <Link to="/user/control/point">
          <strong>
            <Amount of={points.balance} currency="points" />
          </strong>
          {words('points')}
          <Coming amount={points.coming} currency="points" />
        </Link>
      </li>
      {cny && (
        <li>
          <Link to="/user/control/balance">
            <strong>
              <Amount of={cny.balance} currency="cny" />
            </strong>
            {words('balance')}
            <Coming amount={cny.coming} currency="cny" />
          </Link>
        </li>
      )}
    </ul>
  )
}
