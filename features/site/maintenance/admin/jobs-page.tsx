import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { adminWord } from '#base/manifest.ts'
import { pascalCase } from '#base/pascal-case.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { usePolling } from '#base/admin/polling.ts'
import type { discardJob, jobBoard, JobView, QueueView, retryJob } from '#maintenance/contract.ts'
import css from '#maintenance/admin/maintenance.module.css'

const order = ['failed', 'retry', 'active', 'created'] as const

export function Page() {
  const words = useWords('maintenanceAdmin')
  const { isRun, queues, jobs } = useLoaderData<Output<typeof jobBoard>>()
  usePolling(jobs.some(({ state }) => state === 'active'))
  const sorted = jobs.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  return (
    <>
      <h1>{words('jobs')}</h1>
      <p className="meta">{words('jobsWhat')}</p>
      {!isRun && <p className="note">{words('noJobsHere')}</p>}
      {sorted.length === 0 && isRun && <Empty>{words('noJobs')}</Empty>}
      <ul className={css.rows}>
        {sorted.map((job) => (
          <Job key={job.id} job={job} />
        ))}
      </ul>
      <h2>{words('kindsOfJobs')}</h2>
      <ul className={css.rows}>
        {queues.map((queue) => (
          <Queue key={queue.name} queue={queue} />
        ))}
      </ul>
    </>
  )
}

function Job({ job }: { job: JobView }) {
  const words = useWords('maintenanceAdmin')
  const name = useJobName()
  const { state, tries, startAt, begunAt, endedAt, madeAt, code, message } = job
  const when = { failed: endedAt, active: begunAt, retry: startAt, created: startAt }[state] ?? madeAt
  return (
    <li>
      <div>
        <strong>{name(job)}</strong>
        <span className="meta">{words('tries', { count: tries + 1 })}</span>
      </div>
      <div>
        <span className={css.outcome} data-state={state === 'active' ? 'done' : state}>
          {words(`${state}Job`)}
        </span>
        <span className="meta">
          <Time at={when} />
        </span>
      </div>
      <div>{(code || message) && <code className={css.detail}>{[code, message].filter(Boolean).join(': ')}</code>}</div>
      {state === 'failed' && <Actions job={job} />}
    </li>
  )
}

function Actions({ job }: { job: JobView }) {
  const { name, id } = job
  const words = useWords('maintenanceAdmin')
  const called = useJobName()(job)
  const retry = useAction<typeof retryJob>('/admin/job/retry')
  const discard = useAction<typeof discardJob>('/admin/job/discard')

  async function askAndDiscard(): Promise<void> {
    if (await confirm(words('discardAsk', { name: called }), words('discard')))
      await discard.run({ name, id }, { message: words('discarded') })
  }

  return (
    <div className={css.buttons}>
      <button
        type="button"
        className="button quiet"
        disabled={retry.isBusy}
        onClick={() => void retry.run({ name, id }, { message: words('triesAgain') })}
      >
        {words('again')}
      </button>
      <button type="button" className="plain" disabled={discard.isBusy} onClick={() => void askAndDiscard()}>
        {words('discard')}
      </button>
    </div>
  )
}

function Queue({ queue }: { queue: QueueView }) {
  const words = useWords('maintenanceAdmin')
  const name = useJobName()(queue)
  return (
    <li>
      <div>
        <span>{name}</span>
        {name !== queue.name && <span className="meta">{queue.name}</span>}
      </div>
      <div>
        <span>{words('queued', { waiting: queue.waiting, running: queue.running })}</span>
        {queue.failed > 0 && (
          <span className={css.outcome} data-state="failed">
            {words('failedCount', { count: queue.failed })}
          </span>
        )}
      </div>
      <div className="meta">
        {queue.lastDoneAt && (
          <span>
            {words('lastDone')} <Time at={queue.lastDoneAt} />
          </span>
        )}
        {queue.nextAt ? (
          <span>
            {words('next')} <Time at={queue.nextAt} />
          </span>
        ) : (
          <span>{words('onDemand')}</span>
        )}
      </div>
    </li>
  )
}

/** A job in words; its own name, where this version does not know it. */
function useJobName(): (job: Pick<JobView, 'name' | 'feature'>) => string {
  const say = useTranslate()
  return ({ name, feature }) => (feature ? say(adminWord(feature, `job${pascalCase(name)}`)) : name)
}
