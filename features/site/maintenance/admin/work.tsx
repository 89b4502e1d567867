import { Time } from '#base/web/time.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import type { FindingsView, WorkView } from '#maintenance/contract.ts'
import css from '#maintenance/admin/maintenance.module.css'

export function isRunning({ state }: Pick<WorkView, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** A running task and its progress. */
export function RunningWork({ work }: { work: WorkView }) {
  const words = useWords('maintenanceAdmin')
  const label = work.step ? words(`${work.step}Step`, { done: work.done, total: work.total }) : words(work.state)
  return (
    <div className={`note ${css.atWork}`} role="status">
      <strong>{words(`${work.kind}AtWork`, { about: work.about ?? '' })}</strong>
      <progress aria-label={label} {...(work.total > 0 && { value: work.done, max: work.total })} />
      <span>{label}</span>
    </div>
  )
}

/** The result of a task, in a sentence. */
export function Outcome({ work }: { work: WorkView }) {
  const words = useWords('maintenanceAdmin')
  const { state, detail, findings } = work
  const why = work.problem ?? 'other'
  if (isRunning(work)) return <span>{words(state)}</span>
  return (
    <>
      <span className={css.outcome} data-state={state}>
        {state === 'done' ? words(`${work.kind}Done`) : words(findings ? 'unsound' : `${why}Problem`)}
      </span>
      {findings && <Findings findings={findings} />}
      {detail && <code className={css.detail}>{detail}</code>}
    </>
  )
}

function Findings({ findings }: { findings: FindingsView }) {
  const words = useWords('maintenanceAdmin')
  return (
    <details className={css.findings}>
      <summary>{words('found')}</summary>
      <ul>
        {findingsInWords(findings, words).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}

function findingsInWords({ differ, brokenAt, ...numbers }: FindingsView, words: Translate): string[] {
  return [
    words('foundRows', numbers),
    words('foundMigrations', numbers),
    differ.length > 0 ? words('foundDiffer', { tables: differ.join(', ') }) : words('foundSame'),
    brokenAt === null ? words('foundChain', numbers) : words('foundBroken', { id: brokenAt }),
    words(numbers.breaches > 0 ? 'foundBreaches' : 'foundBooks'),
    numbers.missing > 0 ? words('foundMissing', numbers) : words('foundFiles', numbers),
    words('foundSeconds', numbers),
  ]
}

/** Recent tasks, newest first. */
export function RecentWork({ works }: { works: readonly WorkView[] }) {
  const words = useWords('maintenanceAdmin')
  if (works.length === 0) return null
  return (
    <>
      <h2>{words('lately')}</h2>
      <ul className={css.rows}>
        {works.map((work) => (
          <li key={work.id}>
            <div>
              <strong>{words(work.kind)}</strong>
              <span className="meta">
                <Time at={work.endedAt ?? work.askedAt} /> · {work.by ?? words('byItself')}
              </span>
            </div>
            <div className={css.wide}>
              <Outcome work={work} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
