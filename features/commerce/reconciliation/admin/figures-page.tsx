import { useLoaderData } from 'react-router'
import { Chart } from '#base/admin/chart.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { useProviderName } from '#payment/admin/payment.tsx'
import { Sums, SumsHead } from '#reconciliation/admin/sums.tsx'
import { figureDays, type paymentFigures } from '#reconciliation/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#base/admin/figures.module.css'
import shared from '#reconciliation/admin/reconciliation.module.css'

type Figures = Output<typeof paymentFigures>

export function Page() {
  const words = useWords('reconciliationAdmin')
  const figures = useLoaderData<Figures>()
  const { timeZone, days, providers } = figures
  return (
    <>
      <h1>{words('figures')}</h1>
      <nav className={css.ranges} aria-label={words('figuresRange')}>
        {figureDays.map((count) => (
          <Link key={count} to={`/admin/payment/figures?days=${count}`} aria-current={count === days.length ? 'page' : undefined}>
            {words('figuresDays', { count })}
          </Link>
        ))}
      </nav>
      <p className="meta">{words('figuresZone', { zone: timeZone })}</p>
      <Headline figures={figures} />
      <Charts days={days} />
      <h2>{words('byProvider')}</h2>
      {providers.length === 0 ? <Empty>{words('figuresNone')}</Empty> : <Providers providers={providers} />}
    </>
  )
}

function Headline({ figures: { begun, payers, total } }: { figures: Figures }) {
  const words = useWords('reconciliationAdmin')
  const language = useLanguage()
  const money = (yuan: string) => amountText(yuan, 'cny', language)
  const facts = [
    ['paid', money(total.paid)],
    ['net', money(total.net)],
    ['refunded', money(total.refunded)],
    ['disputed', money(total.disputed)],
    ['fees', money(total.fees)],
    ['payments', words('count', { count: total.payments })],
    ['payers', words('count', { count: payers })],
    ['conversion', useConversion()(total.payments, begun)],
  ] as const
  return (
    <dl className={css.totals}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The share of begun payments that are paid; a dash if none was begun. */
function useConversion(): (paid: number, begun: number) => string {
  const language = useLanguage()
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return (paid, begun) => (begun === 0 ? '–' : percent.format(paid / begun))
}

function Charts({ days }: Pick<Figures, 'days'>) {
  const words = useWords('reconciliationAdmin')
  const titles = { yuan: 'figuresYuan', payments: 'payments', refunded: 'figuresRefunded' } as const
  return (
    <div className={css.charts}>
      {(['yuan', 'payments', 'refunded'] as const).map((measure) => {
        const points = days.map((day) => ({ label: day.day, value: day[measure] }))
        // In whole cents, because sums of fractions are not exact.
        const sum = Math.round(points.reduce((all, { value }) => all + value * 100, 0)) / 100
        return <Chart key={measure} title={words(titles[measure])} points={points} sum={words('figuresSum', { count: sum })} />
      })}
    </div>
  )
}

function Providers({ providers }: Pick<Figures, 'providers'>) {
  const words = useWords('reconciliationAdmin')
  const nameOf = useProviderName()
  const conversion = useConversion()
  return (
    <div className={shared.wide}>
      <table className={`list ${shared.money}`}>
        <SumsHead first={words('provider')} hasRate />
        <tbody>
          {providers.map((one) => (
            <Sums
              key={one.provider}
              first={<Link to={`/admin/payment?provider=${one.provider}`}>{nameOf(one.provider)}</Link>}
              of={one}
              rate={conversion(one.payments, one.begun)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
