import type { ReactNode } from 'react'
import { FilterChoice } from '#base/admin/filters.tsx'
import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { providerNames, type ProviderName } from '#payment/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/admin/payment.module.css'

/** An amount in yuan as the API returns it; a dash for null. */
export function Yuan({ of }: { of: string | null }) {
  const language = useLanguage()
  return <span className={css.number}>{of === null ? '–' : amountText(of, 'cny', language)}</span>
}

/** A time to the second, in the site's time zone, which its days use. */
export function At({ at }: { at: string }) {
  const { timeZone } = useSite()
  return (
    <time dateTime={at} className={css.number}>
      {siteTime(at, timeZone)}
    </time>
  )
}

/** The same in every language: 2026-11-27 09:30:00. */
function siteTime(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(new Date(at))
}

/** The format for files, with the offset from UTC. */
export function useFileTime(): (at: string | null) => string {
  const { timeZone } = useSite()
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (at) => {
    if (at === null) return ''
    const name = offset.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return siteTime(at, timeZone) + (name.slice(3) || '+00:00')
  }
}

export function ZoneNote() {
  const words = useWords('paymentAdmin')
  const { timeZone } = useSite()
  return <p className="meta">{words('zone', { zone: timeZone })}</p>
}

type MemberRef = { id: string; name: string }

export function Person({ of }: { of: MemberRef | null }) {
  if (!of) return '–'
  return mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${of.id}`}>{of.name}</Link> : of.name
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

/** Adapts rows identified by number to the list. */
export function byNumber<Row extends { number: string }, Page extends { rows: Row[] }>(
  page: Page & { rows: Row[] },
): Omit<Page, 'rows'> & { rows: (Row & { id: string })[] } {
  return { ...page, rows: page.rows.map((row) => ({ ...row, id: row.number })) }
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
