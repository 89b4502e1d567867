import { useLoaderData } from 'react-router'
import { Chart } from '#base/admin/chart.tsx'
import { SaveRows } from '#base/admin/save-rows.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { amountIn } from '#red-envelope/admin/envelopes-page.tsx'
import { kindWords } from '#red-envelope/staff-contract.ts'
import { figureDays, noteFiguresExport, type envelopeFigures } from '#red-envelope/figures-contract.ts'
import css from '#base/admin/figures.module.css'

type Figures = Output<typeof envelopeFigures>

export function Page() {
  const words = useWords('redEnvelopeAdmin')
  const figures = useLoaderData<Figures>()
  const { timeZone, days, total, kinds } = figures
  const range = days.length / total.length
  return (
    <>
      <h1>{words('figures')}</h1>
      <nav className={css.ranges} aria-label={words('figuresRange')}>
        {figureDays.map((count) => (
          <Link key={count} to={`/admin/redEnvelope/figures?days=${count}`} aria-current={count === range ? 'page' : undefined}>
            {words('figuresDays', { count })}
          </Link>
        ))}
      </nav>
      <p className="meta">{words('figuresZone', { zone: timeZone })}</p>
      <Headline figures={figures} />
      <Charts figures={figures} />
      <p className="actions">
        <SaveDays days={days} range={range} />
      </p>
      <h2>{words('byKind')}</h2>
      {kinds.length === 0 ? <Empty>{words('figuresNone')}</Empty> : <Kinds kinds={kinds} />}
    </>
  )
}

function useNumber(): (count: number) => string {
  const words = useWords('admin')
  return (count) => words('number', { count })
}

/** `12 · 340 points + ¥56.00`. */
function useSum(): (total: Figures['total'], key: 'given' | 'opened' | 'returned') => string {
  const words = useWords('redEnvelopeAdmin')
  const number = useNumber()
  const language = useLanguage()
  return (total, key) => {
    const amounts = total.flatMap((row) => (row[key] > 0 ? amountIn(row[`${key}Amount`], row.currency, words, language) : []))
    return [number(total.reduce((sum, row) => sum + row[key], 0)), amounts.join(' + ')].filter(Boolean).join(' · ')
  }
}

function Headline({ figures: { total, openers, newOpeners } }: { figures: Figures }) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const number = useNumber()
  const sum = useSum()
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const facts = [
    ['figuresGiven', sum(total, 'given')],
    ['figuresOpened', sum(total, 'opened')],
    ['figuresReturned', sum(total, 'returned')],
    ['figuresOpeners', number(openers)],
    ['figuresNew', openers === 0 ? '–' : percent.format(newOpeners / openers)],
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

/** Counts per day, and the amount of each currency. */
function Charts({ figures: { days, total } }: { figures: Figures }) {
  const words = useWords('redEnvelopeAdmin')
  const byDay = [...Map.groupBy(days, ({ day }) => day)]
  const counted = (key: 'given' | 'opened' | 'returned') => ({
    title: words(chartWords[key]),
    points: byDay.map(([label, rows]) => ({ label, value: rows.reduce((sum, row) => sum + row[key], 0) })),
  })
  const charts = [
    counted('given'),
    ...total.map(({ currency }) => ({
      title: words(currency === 'points' ? 'chartPoints' : 'chartCash'),
      points: days.filter((row) => row.currency === currency).map(({ day, givenAmount }) => ({ label: day, value: Number(givenAmount) })),
    })),
    counted('opened'),
    counted('returned'),
  ]
  return (
    <div className={css.charts}>
      {charts.map(({ title, points }) => (
        // In whole cents, because sums of fractions are not exact.
        <Chart
          key={title}
          title={title}
          points={points}
          sum={words('figuresSum', { count: Math.round(points.reduce((all, { value }) => all + value * 100, 0)) / 100 })}
        />
      ))}
    </div>
  )
}

const chartWords = { given: 'figuresGiven', opened: 'figuresOpened', returned: 'figuresReturned' } as const

function SaveDays({ days, range }: { days: Figures['days']; range: number }) {
  const words = useWords('redEnvelopeAdmin')
  const head = ['day', 'currency', 'figuresGiven', 'givenAmount', 'figuresOpened', 'openedAmount', 'figuresReturned', 'returned'] as const
  const rows = days.map(({ day, currency, given, givenAmount, opened, openedAmount, returned, returnedAmount }) => [
    day,
    words(currency === 'points' ? 'inPoints' : 'inCash'),
    String(given),
    givenAmount,
    String(opened),
    openedAmount,
    String(returned),
    returnedAmount,
  ])
  return (
    <SaveRows
      auditEndpoint={noteFiguresExport}
      query={`?days=${range}`}
      head={head.map((name) => words(name))}
      rows={rows}
      name={`red-envelopes-${days.at(-1)?.day ?? ''}-${range}`}
    />
  )
}

function Kinds({ kinds }: Pick<Figures, 'kinds'>) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const number = useNumber()
  const duration = useDuration()
  const head = ['kind', 'figuresGiven', 'givenAmount', 'figuresOpened', 'openedAmount', 'figuresReturned', 'returned'] as const
  return (
    <div className={css.wide}>
      <table className="list">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name}>{words(name)}</th>
            ))}
            <th>{words('stateTaken')}</th>
            <th>{words('takenIn')}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, currency, given, givenAmount, opened, openedAmount, returned, returnedAmount, taken, takenIn }) => (
            <tr key={`${kind} ${currency}`}>
              <td>
                <Link to={`/admin/redEnvelope?kind=${kind}&currency=${currency}`}>
                  {words(kindWords[kind])} · {words(currency === 'points' ? 'inPoints' : 'inCash')}
                </Link>
              </td>
              <td>{number(given)}</td>
              <td>{amountIn(givenAmount, currency, words, language)}</td>
              <td>{number(opened)}</td>
              <td>{amountIn(openedAmount, currency, words, language)}</td>
              <td>{number(returned)}</td>
              <td>{amountIn(returnedAmount, currency, words, language)}</td>
              <td>{number(taken)}</td>
              <td>{takenIn === null ? '–' : duration(takenIn)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `40 sec`, `12 min` or `5 hr`, in the reader's language. */
function useDuration(): (seconds: number) => string {
  const language = useLanguage()
  return (seconds) => {
    const [count, unit] = seconds < 90 ? [seconds, 'second'] : seconds < 5_400 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour']
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 }).format(count)
  }
}
