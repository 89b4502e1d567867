import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import figures from '#base/admin/figures.module.css'
import type { dashboard } from '#statistic/contract.ts'
import css from '#statistic/admin/dashboard.module.css'

type Data = Output<typeof dashboard>

/** Retention of new members, and browsers and systems of visitors. */
export function People({ retention, clients }: Pick<Data, 'retention' | 'clients'>) {
  const words = useWords('statisticAdmin')
  return (
    <>
      <h2>{words('stayed')}</h2>
      <p className="meta">{words('stayedWhat')}</p>
      <table className="list">
        <tbody>
          {retention.map(({ after, joined, stayed }) => (
            <tr key={after}>
              <th scope="row">{words('stayedAfter', { count: after })}</th>
              <td>{joined === 0 ? words('noneJoined') : words('stayedOf', { part: stayed / joined, stayed, joined })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{words('clients')}</h2>
      <div className={figures.charts}>
        {(['browser', 'system'] as const).map((kind) => (
          <Shares key={kind} title={words(kind)} rows={clients.filter((row) => row.kind === kind)} />
        ))}
      </div>
    </>
  )
}

function Shares({ title, rows }: { title: string; rows: Data['clients'] }) {
  const words = useWords('statisticAdmin')
  const all = rows.reduce((sum, { views }) => sum + views, 0)
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 && <p className="meta">{words('noViews')}</p>}
      <ul className={css.shares}>
        {rows.map(({ name, views }) => (
          <li key={name}>
            <span>{name || words('otherClient')}</span>
            <span>{words('share', { part: views / all, count: views })}</span>
            <meter min={0} max={all} value={views} aria-label={name || words('otherClient')} />
          </li>
        ))}
      </ul>
    </section>
  )
}
