import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePolling } from '#base/admin/polling.ts'
import type { discardJob, jobBoard, JobView, QueueView, retryJob } from '#maintenance/contract.ts'
import { jobNames } from '#maintenance/job-names.ts'
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
        <strong>{name(job.name)}</strong>
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

function Actions({ job: { name, id } }: { job: JobView }) {
  const words = useWords('maintenanceAdmin')
  const called = useJobName()(name)
  const retry = useAction<typeof retryJob>('/admin/job/retry')
  const discard = useAction<typeof discardJob>('/admin/job/discard')

  async function askAndDiscard(): Promise<void> {
    if (await confirm(words('discardAsk', { name: called }), words('discard')))
      await discard.run({ name, id }, { done: words('discarded') })
  }

  return (
    <div className={css.buttons}>
      <button
        type="button"
        className="button quiet"
        disabled={retry.isBusy}
        onClick={() => void retry.run({ name, id }, { done: words('triesAgain') })}
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
  const name = useJobName()(queue.name)
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

const jobWords: Readonly<Record<(typeof jobNames)[number], string>> = {
  'account-forget': 'doesAccountForget',
  'identity-forget': 'doesIdentityForget',
  'leaving-erase': 'doesLeavingErase',
  'personal-data-make': 'doesPersonalDataMake',
  'assistant-sweep': 'doesAssistantSweep',
  'assistant-forget': 'doesAssistantForget',
  'payment-inbox': 'doesPaymentInbox',
  'payment-keys': 'doesPaymentKeys',
  'payment-query': 'doesPaymentQuery',
  'red-envelope-pay': 'doesRedEnvelopePay',
  'red-envelope-end': 'doesRedEnvelopeEnd',
  'red-envelope-ending': 'doesRedEnvelopeEnding',
  'payment-refund': 'doesPaymentRefund',
  'payment-statement': 'doesPaymentStatement',
  'real-name-forget': 'doesRealNameForget',
  'follow-names': 'doesFollowNames',
  'forget-links': 'doesForgetLinks',
  'look-at-links': 'doesLookAtLinks',
  'announce-topics': 'doesAnnounceTopics',
  'books-check': 'doesBooksCheck',
  'content-batch': 'doesContentBatch',
  'cool-topics': 'doesCoolTopics',
  'notification-forget': 'doesNotificationForget',
  'notification-mail': 'doesNotificationMail',
  'notification-push': 'doesNotificationPush',
  'delivery-forget': 'doesDeliveryForget',
  'delivery-send': 'doesDeliverySend',
  'end-bounties': 'doesEndBounties',
  'refund-hidden-parts': 'doesRefundHiddenParts',
  'close-accounts': 'doesCloseAccounts',
  'find-collusion': 'doesFindCollusion',
  'count-days': 'doesCountDays',
  'file-remove-strays': 'doesFileRemoveStrays',
  'file-remove-unused': 'doesFileRemoveUnused',
  'file-render': 'doesFileRender',
  'forget-drafts': 'doesForgetDrafts',
  'forget-page-views': 'doesForgetPageViews',
  'forget-said': 'doesForgetSaid',
  'maintenance-forget': 'doesMaintenanceForget',
  'maintenance-tick': 'doesMaintenanceTick',
  'maintenance-work': 'doesMaintenanceWork',
  'notification-announce': 'doesNotificationAnnounce',
  'membership-give': 'doesMembershipGive',
  'notification-ending-roles': 'doesNotificationEndingRoles',
  'notification-sign-ins': 'doesNotificationSignIns',
  'tidying-clean': 'doesMemberCleanup',
}

/** The name of a job in words; its own name where it has none. */
function useJobName(): (name: string) => string {
  const words = useWords('maintenanceAdmin')
  return (name) => {
    const known = jobNames.find((one) => one === name)
    return known ? words(jobWords[known]) : name
  }
}
