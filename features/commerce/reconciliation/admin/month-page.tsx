import { useLoaderData, useNavigate } from 'react-router'
import { SaveRows } from '#base/admin/save-rows.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { lastDayOf, monthsUntil } from '#reconciliation/admin/months.ts'
import { useProviderName } from '#payment/admin/payment.tsx'
import { ReconciliationTabs } from '#reconciliation/admin/reconciliation-tabs.tsx'
import { Sums, SumsHead } from '#reconciliation/admin/sums.tsx'
import type { ProviderName } from '#payment/contract.ts'
import { noteMonthExport, type paymentMonth } from '#reconciliation/contract.ts'
import css from '#reconciliation/admin/reconciliation.module.css'

type Month = Output<typeof paymentMonth>

export function Page() {
  const words = useWords('reconciliationAdmin')
  const { month, data } = useLoaderData<{ month: string; data: Month }>()
  const { days, timeZone } = data
  return (
    <>
      <ReconciliationTabs />
      <MonthChoice month={month} timeZone={timeZone} />
      <p className="meta">{words('monthWhat', { zone: timeZone })}</p>
      {days.length === 0 ? (
        <Empty>{words('monthNone')}</Empty>
      ) : (
        <>
          <Providers month={month} data={data} />
          <Days month={month} days={days} />
        </>
      )}
    </>
  )
}

function Providers({ month, data: { providers, total } }: { month: string; data: Month }) {
  const words = useWords('reconciliationAdmin')
  return (
    <>
      <h2>{words('byProvider')}</h2>
      <table className={`list ${css.money}`}>
        <SumsHead first={words('provider')} />
        <tbody>
          {providers.map((one) => (
            <Sums key={one.provider} first={<Payments of={one} from={`${month}-01`} until={lastDayOf(month)} />} of={one} />
          ))}
          <Sums first={words('total')} of={total} />
        </tbody>
      </table>
    </>
  )
}

function Days({ month, days }: { month: string; days: Month['days'] }) {
  const words = useWords('reconciliationAdmin')
  return (
    <>
      <h2>{words('byDay')}</h2>
      <p className="actions">
        <SaveMonth month={month} days={days} />
      </p>
      <table className={`list ${css.money}`}>
        <SumsHead first={words('day')} />
        <tbody>
          {days.map((one) => (
            <Sums key={`${one.day} ${one.provider}`} first={<Payments of={one} from={one.day} until={one.day} />} of={one} />
          ))}
        </tbody>
      </table>
    </>
  )
}

type PaymentsProps = { of: { provider: ProviderName; day?: string }; from: string; until: string }

function Payments({ of: { provider, day }, from, until }: PaymentsProps) {
  const nameOf = useProviderName()
  return (
    <Link to={`/admin/payment?provider=${provider}&from=${from}&until=${until}`}>
      {day && `${day} · `}
      {nameOf(provider)}
    </Link>
  )
}

function MonthChoice({ month, timeZone }: { month: string; timeZone: string }) {
  const words = useWords('reconciliationAdmin')
  const language = useLanguage()
  const go = useNavigate()
  const months = monthsUntil(timeZone, month)
  const [later, earlier] = [months[months.indexOf(month) - 1], months[months.indexOf(month) + 1]]
  const named = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return (
    <nav className={css.month} aria-label={words('months')}>
      {earlier && (
        <Link to={`/admin/payment/month?month=${earlier}`} rel="prev">
          {words('monthBefore')}
        </Link>
      )}
      <select aria-label={words('month')} value={month} onChange={({ target }) => void go(`/admin/payment/month?month=${target.value}`)}>
        {months.map((one) => (
          <option key={one} value={one}>
            {named.format(new Date(`${one}-01T00:00Z`))}
          </option>
        ))}
      </select>
      {later && (
        <Link to={`/admin/payment/month?month=${later}`} rel="next">
          {words('monthAfter')}
        </Link>
      )}
    </nav>
  )
}

function SaveMonth({ month, days }: { month: string; days: Month['days'] }) {
  const words = useWords('reconciliationAdmin')
  const nameOf = useProviderName()
  const head = (['day', 'provider', 'payments', 'paid', 'refunded', 'disputed', 'fees', 'net'] as const).map((name) => words(name))
  const rows = days.map(({ day, provider, payments, paid, refunded, disputed, fees, net }) => [
    day,
    nameOf(provider),
    String(payments),
    paid,
    refunded,
    disputed,
    fees,
    net,
  ])
  return <SaveRows auditEndpoint={noteMonthExport} query={`?month=${month}`} head={head} rows={rows} name={`payments-${month}`} />
}
