import type { ReactNode } from 'react'
import { FilterChoice } from '#base/admin/filters.tsx'
import { siteZone } from '#base/admin/exact-time.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { mayDo } from '#staff/admin/staff.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import { providerNames, type ProviderName } from '#payment/contract.ts'
import css from '#payment/admin/payment.module.css'

/** An amount in yuan as the API returns it; a dash for null. */
export function Yuan({ of }: { of: string | null }) {
  const language = useLanguage()
  return <span className={css.number}>{of === null ? '–' : amountText(of, 'cny', language)}</span>
}

export function ZoneNote() {
  const words = useWords('paymentAdmin')
  return <p className="meta">{words('zone', { zone: siteZone.use() })}</p>
}

export function PaymentLink({ number }: { number: string }) {
  return (
    <Link to={`/admin/payment/view?number=${number}`} className={css.number}>
      {number}
    </Link>
  )
}

export function TransactionLink({ id }: { id: string | null }) {
  if (id === null) return '–'
  return mayDo('wallet.view') ? <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{id}</Link> : id
}

/** Highlights states that need attention. */
export function State({ word, tone }: { word: string; tone?: 'good' | 'bad' | 'wait' | undefined }) {
  return (
    <span className={css.state} data-tone={tone}>
      {word}
    </span>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={facts.facts}>{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Totals over all results of the filter, not only this page. */
export function Totals({ count, of }: { count: number; of: readonly (readonly [label: string, yuan: string])[] }) {
  const words = useWords('paymentAdmin')
  return (
    <dl className={facts.totals} aria-label={words('totals')}>
      <div>
        <dt>{words('found')}</dt>
        <dd>{words('count', { count })}</dd>
      </div>
      {of.map(([label, yuan]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Yuan of={yuan} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Names the providers. */
export function useProviderName(): (name: ProviderName) => string {
  const words = useWords('paymentAdmin')
  return (name) => words(`provider${name}`)
}

export function ProviderFilter() {
  const words = useWords('paymentAdmin')
  return (
    <FilterChoice
      name="provider"
      label={words('provider')}
      any={words('anyProvider')}
      options={providerNames.map((name) => [name, words(`provider${name}`)])}
    />
  )
}
