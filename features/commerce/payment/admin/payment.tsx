import type { ReactNode } from 'react'
import { siteZone } from '#base/admin/exact-time.tsx'
import { Yuan } from '#base/admin/staff-list.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { mayDo } from '#staff/admin/staff.tsx'
import type { ProviderName } from '#payment/contract.ts'
import css from '#payment/admin/payment.module.css'

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
