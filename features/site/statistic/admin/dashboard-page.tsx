import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Chart } from '#base/admin/chart.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import figures from '#base/admin/figures.module.css'
import { NewReleaseNotice } from '#maintenance/admin/maintenance.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import { minSearchers, measures, type dashboard, type TimesView } from '#statistic/contract.ts'
import { People } from '#statistic/admin/people.tsx'
import { RangeForm } from '#statistic/admin/range-form.tsx'
import css from '#statistic/admin/dashboard.module.css'

const chartWords = {
  views: 'views',
  visitors: 'visitors',
  active: 'active',
  members: 'newMembers',
  topics: 'newTopics',
  comments: 'newComments',
  replies: 'newReplies',
} as const satisfies Record<(typeof measures)[number], string>

export function Page() {
  const words = useWords('statisticAdmin')
  const { clients, days, failed, pages, retention, searches, times, timeZone, totals, version, waiting } =
    useLoaderData<Output<typeof dashboard>>()
  return (
    <>
      <h1>{words('dashboard')}</h1>
      <Failures failed={failed} />
      <NewReleaseNotice version={version} />
      <Waiting waiting={waiting} />
      <dl className={figures.totals}>
        {(['members', 'topics', 'comments', 'replies'] as const).map((measure) => (
          <div key={measure}>
            <dt>{words(measure)}</dt>
            <dd>{words('number', { count: totals[measure] })}</dd>
          </div>
        ))}
      </dl>
      <RangeForm shown={{ first: days[0]?.day ?? '', last: days.at(-1)?.day ?? '', days: days.length }} />
      <p className="meta">{words('late', { zone: timeZone })}</p>
      <div className={figures.charts}>
        {measures.map((measure) => {
          const points = days.map((day) => ({ label: day.day, value: day[measure] }))
          const sum = points.reduce((all, { value }) => all + value, 0)
          return <Chart key={measure} title={words(chartWords[measure])} points={points} sum={words('sum', { count: sum })} />
        })}
      </div>
      <People retention={retention} clients={clients} />
      <Times times={times} />
      <h2>{words('topSearches')}</h2>
      <p className="meta">{words('searchesWhat', { count: minSearchers })}</p>
      {searches.length === 0 ? <Empty>{words('noSearches')}</Empty> : <Searches searches={searches} />}
      <h2>{words('topPages')}</h2>
      {pages.length === 0 ? <Empty>{words('noViews')}</Empty> : <Pages pages={pages} />}
    </>
  )
}

/** Failures of backups, rehearsals and the ledger. */
function Failures({ failed }: Pick<Output<typeof dashboard>, 'failed'>) {
  const words = useWords('statisticAdmin')
  return failed.map(({ kind, at }) => (
    <p key={kind} className="note" role="alert">
      {words(`${kind}Failed`)} <Time at={at} />{' '}
      {!isOfBooks(kind) && mayDo('site.backup') && <Link to="/admin/maintenance/backup">{words('seeBackups')}</Link>}
      {isOfBooks(kind) && mayDo('wallet.freeze') && <Link to="/admin/books">{words('seeBooks')}</Link>}
    </p>
  ))
}

function isOfBooks(kind: Output<typeof dashboard>['failed'][number]['kind']): boolean {
  return kind === 'books' || kind === 'booksCheck'
}

const queues = [
  ['reviews', '/admin/review'],
  ['reports', '/admin/report'],
  ['appeals', '/admin/appeal'],
  ['messageReports', '/admin/messageReport'],
  ['answerReports', '/admin/assistant/report'],
  ['feedback', '/admin/feedback'],
  ['moneyRequests', '/admin/money-request?state=waiting'],
  ['joining', '/admin/joining'],
  ['payments', '/admin/payment/event?state=suspended'],
  ['disputes', '/admin/payment/dispute?state=open'],
] as const

/** Counts of items that wait, for each queue this member of staff may see. */
function Waiting({ waiting }: Pick<Output<typeof dashboard>, 'waiting'>) {
  const words = useWords('statisticAdmin')
  const mine = queues.filter(([what]) => waiting[what] !== null)
  if (mine.length === 0) return null
  return (
    <section aria-label={words('waiting')}>
      <ul className={css.waiting}>
        {mine.map(([what, path]) => (
          <li key={what} data-some={(waiting[what] ?? 0) > 0 || undefined}>
            <Link to={path}>{words(`${what}Wait`, { count: waiting[what] ?? 0 })}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Response times: median and 95th percentile. */
function Times({ times }: { times: TimesView }) {
  const words = useWords('statisticAdmin')
  return (
    <>
      <h2>{words('times')}</h2>
      <p className="meta">{words('timesWhat', { count: times.answers })}</p>
      <div className={figures.charts}>
        {(['half', 'most'] as const).map((part) => (
          <Chart
            key={part}
            title={words(`${part}Times`)}
            points={times.points.map((point) => ({ label: point.at, value: point[part] }))}
            sum={words('inRange', { ms: times[part] })}
          />
        ))}
      </div>
    </>
  )
}

function Searches({ searches }: Pick<Output<typeof dashboard>, 'searches'>) {
  const words = useWords('statisticAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('searchedFor')}</th>
          <th>{words('people')}</th>
        </tr>
      </thead>
      <tbody>
        {searches.map((search) => (
          <tr key={search.words}>
            <td>
              <a href={`/search?${new URLSearchParams({ keyword: search.words })}`} target="_blank" rel="noreferrer">
                {search.words}
              </a>
            </td>
            <td>{words('number', { count: search.people })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Pages({ pages }: Pick<Output<typeof dashboard>, 'pages'>) {
  const words = useWords('statisticAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('address')}</th>
          <th>{words('views')}</th>
        </tr>
      </thead>
      <tbody>
        {pages.map(({ address, title, views }) => (
          <tr key={address}>
            <td>
              <a className={css.long} href={address} target="_blank" rel="noreferrer">
                {title ?? address}
              </a>
            </td>
            <td>{words('number', { count: views })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
