import { useLoaderData } from 'react-router'
import { Chart } from '#base/admin/chart.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Price } from '#membership/admin/price.tsx'
import { figureDays, type membershipFigures } from '#membership/figures-contract.ts'
import css from '#base/admin/figures.module.css'

type Figures = Output<typeof membershipFigures>

export function Page() {
  const words = useWords('membershipAdmin')
  const { active, endsNextWeek, total, timeZone, days, cards, hasCash } = useLoaderData<Figures>()
  const measures = (['orders', 'yuan', 'points', 'refunds'] as const).filter((one) => one !== 'yuan' || hasCash)
  const titles = { orders: 'figuresOrders', yuan: 'figuresYuan', points: 'figuresPoints', refunds: 'figuresRefunds' } as const
  return (
    <>
      <h1>{words('figures')}</h1>
      <dl className={css.totals}>
        <Total label={words('figuresActive')} count={active} to="/admin/membershipOrder?state=running" />
        <Total label={words('figuresEnding')} count={endsNextWeek} />
        <Total label={words('figuresOrders')} count={total.orders} />
        <Total label={words('figuresRefunds')} count={total.refunds} to="/admin/membershipOrder?state=refunded" />
      </dl>
      <nav className={css.ranges} aria-label={words('figuresRange')}>
        {figureDays.map((count) => (
          <Link key={count} to={`/admin/membershipFigures?days=${count}`} aria-current={count === days.length ? 'page' : undefined}>
            {words('figuresDays', { count })}
          </Link>
        ))}
      </nav>
      <p className="meta">{words('figuresZone', { zone: timeZone })}</p>
      <div className={css.charts}>
        {measures.map((measure) => {
          const points = days.map((day) => ({ label: day.day, value: day[measure] }))
          const sum = points.reduce((all, { value }) => all + value, 0)
          return <Chart key={measure} title={words(titles[measure])} points={points} sum={words('figuresSum', { count: sum })} />
        })}
      </div>
      <h2>{words('figuresByCard')}</h2>
      {cards.length === 0 ? <Empty>{words('figuresNone')}</Empty> : <Cards cards={cards} />}
    </>
  )
}

function Total({ label, count, to }: { label: string; count: number; to?: string }) {
  const words = useWords('membershipAdmin')
  const number = words('count', { count })
  return (
    <div>
      <dt>{label}</dt>
      <dd>{to ? <Link to={to}>{number}</Link> : number}</dd>
    </div>
  )
}

function Cards({ cards }: Pick<Figures, 'cards'>) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  return (
    <div className={css.wide}>
      <table className="list">
        <thead>
          <tr>
            <th>{words('orderCard')}</th>
            <th>{words('figuresOrders')}</th>
            <th>{words('orderPaid')}</th>
            <th>{words('figuresRefunds')}</th>
            <th>{words('figuresActive')}</th>
          </tr>
        </thead>
        <tbody>
          {cards.map(({ id, name, orders, paid, refunds, refunded, active }) => (
            <tr key={id}>
              <td>
                <Link to={`/admin/membershipOrder?card=${id}`}>{name[language]}</Link>
              </td>
              <td>{words('count', { count: orders })}</td>
              <td>{orders > 0 && <Price of={paid} />}</td>
              <td>{refunds > 0 && <Price of={refunded} />}</td>
              <td>{words('count', { count: active })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
