import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { formatSize } from '#base/size.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { clock, Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { factsOf } from '#maintenance/admin/health-facts.tsx'
import { parts, statusOf, type Part, type Status as Stands } from '#maintenance/admin/health.ts'
import { RunningWork, isRunning, Outcome } from '#maintenance/admin/work.tsx'
import type { clearCaches, HealthView, rebuildSearch } from '#maintenance/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#maintenance/admin/maintenance.module.css'

export function Page() {
  const words = useWords('maintenanceAdmin')
  const health = useLoaderData<HealthView>()
  const now = clock.use() ?? 0
  const { work } = health.search
  usePolling(work !== null && isRunning(work))
  const standing = statusOf(health, now)
  const facts = factsOf(health, words, now)
  const count = (how: Stands) => parts.filter((part) => standing[part] === how).length
  const more: Partial<Record<Part, ReactNode>> = {
    email: <ChannelMore group="email" />,
    sms: <ChannelMore group="sms" />,
    jobs: <JobsMore told={health} />,
    pages: <ClearCaches />,
    search: <SearchMore told={health} />,
    backup: <BackupMore told={health} />,
    payments: <PaymentsMore told={health} />,
    assistant: <AssistantMore told={health} />,
  }
  return (
    <>
      <h1>{words('health')}</h1>
      <p className="meta">{words('healthWhat')}</p>
      <p role="status">{words('overall', { bad: count('bad'), watched: count('watch') })}</p>
      <div className={css.parts}>
        {parts.map((part) => (
          <section key={part} aria-labelledby={`part-${part}`}>
            <h2 id={`part-${part}`}>
              {words(`${part}Part`)} <StatusMark is={standing[part]} />
            </h2>
            <dl>
              {facts[part].map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {more[part]}
          </section>
        ))}
      </div>
      <Tables told={health} />
    </>
  )
}

function StatusMark({ is }: { is: Stands }) {
  const words = useWords('maintenanceAdmin')
  return (
    <span className={css.standing} data-is={is}>
      {words(is)}
    </span>
  )
}

function ChannelMore({ group }: { group: 'email' | 'sms' }) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      <Link to={`/admin/setting?group=${group}`}>{words('toSettings')}</Link> · <Link to="/admin/delivery">{words('toSending')}</Link>
    </p>
  )
}

function JobsMore({ told: { jobs } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      {!jobs && words('noJobsHere')} <Link to="/admin/maintenance/job">{words('toJobs')}</Link>
    </p>
  )
}

function ClearCaches() {
  const words = useWords('maintenanceAdmin')
  const clear = useAction<typeof clearCaches>('/admin/maintenance/clearCaches')
  return (
    <button
      type="button"
      className="button quiet"
      disabled={clear.isBusy}
      onClick={() => void clear.run({}, { message: words('cleared') })}
    >
      {words('clear')}
    </button>
  )
}

function SearchMore({ told: { search } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  const rebuild = useAction<typeof rebuildSearch>('/admin/maintenance/rebuildSearch')
  const { work } = search
  if (work && isRunning(work)) return <RunningWork work={work} />

  async function ask(): Promise<void> {
    if (await confirm(words('rebuildAsk'), words('rebuild'))) await rebuild.run({}, { message: words('begun') })
  }

  return (
    <>
      {work && (
        <p>
          {words('search')}: <Outcome work={work} /> <Time at={work.endedAt ?? work.askedAt} />
        </p>
      )}
      <button type="button" className="button quiet" disabled={rebuild.isBusy} onClick={() => void ask()}>
        {words('rebuild')}
      </button>
    </>
  )
}

function BackupMore({ told: { backup } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      {backup.at ? (
        <>
          {words('newestBackup')} <Time at={backup.at} />
        </>
      ) : (
        words('noBackups')
      )}{' '}
      {mayDo('site.backup') && <Link to="/admin/maintenance/backup">{words('toBackups')}</Link>}
    </p>
  )
}

function PaymentsMore({ told: { payments } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      {payments.length === 0 && words('noPayments')}{' '}
      {mayDo('payment.view') && <Link to="/admin/payment/provider">{words('toPayments')}</Link>}
    </p>
  )
}

function AssistantMore({ told: { assistant } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      {assistant === null && words('noAssistant')}{' '}
      {mayDo('assistant.view') && <Link to="/admin/assistant/model">{words('toAssistant')}</Link>}
    </p>
  )
}

function Tables({ told: { database } }: { told: HealthView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <>
      <h2>{words('tables')}</h2>
      <p className="meta">{words('tablesWhat')}</p>
      <table className={`list ${css.tables}`}>
        <thead>
          <tr>
            <th>{words('table')}</th>
            <th>{words('size')}</th>
            <th>{words('rowsAbout')}</th>
          </tr>
        </thead>
        <tbody>
          {database.tables.map(({ name, bytes, rows }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{formatSize(bytes)}</td>
              <td>{words('number', { count: rows })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
