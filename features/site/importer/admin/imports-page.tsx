import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import { usePolling } from '#base/admin/polling.ts'
import type { Output } from '#base/contract.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { CheckReport } from '#importer/admin/check-report.tsx'
import { useReason } from '#importer/admin/findings.tsx'
import type { importList, ImportView } from '#importer/contract.ts'
import css from '#importer/admin/imports.module.css'

const command = 'npm run teahouse -- import phpbb --from mysql://reader@localhost/forum --files /var/www/forum --check'

/** Imports, and the results of the last checks. Only the command line imports. */
export function Page() {
  const words = useWords('importerAdmin')
  const { checks, imports } = useLoaderData<Output<typeof importList>>()
  usePolling(imports.some(({ state }) => state === 'unfinished'))
  return (
    <>
      <Head title={words('imports')} />
      <p className="meta">{words('importsWhat')}</p>
      {checks.length + imports.length === 0 && (
        <Empty>
          {words('nothingYet')}
          <code className={css.command}>{command}</code>
        </Empty>
      )}
      {checks.map(({ at, check }) => (
        <CheckReport key={check.program} at={at} check={check} />
      ))}
      {imports.length > 0 && <h2>{words('lastImports')}</h2>}
      {imports.map((one) => (
        <Import key={one.id} its={one} />
      ))}
    </>
  )
}

function Import({ its: { title, program, state, beganAt, finishedAt, undoneAt, stages, notes } }: { its: ImportView }) {
  const words = useWords('importerAdmin')
  return (
    <section className={css.part}>
      <h3>
        <bdi>{title}</bdi> <span className="meta">{program}</span>
      </h3>
      <p>
        <span className={css.state} data-state={state}>
          {words(`${state}Import`)}
        </span>{' '}
        <span className="meta">
          {words('began')} <Time at={beganAt} />
          {finishedAt && (
            <>
              {' · '}
              {words('finished')} <Time at={finishedAt} />
            </>
          )}
          {undoneAt && (
            <>
              {' · '}
              {words('undone')} <Time at={undoneAt} />
            </>
          )}
        </span>
      </p>
      {stages.length > 0 && <Stages stages={stages} />}
      {notes.length > 0 && <Notes notes={notes} />}
    </section>
  )
}

function Stages({ stages }: Pick<ImportView, 'stages'>) {
  const words = useWords('importerAdmin')
  return (
    <dl className={css.numbers}>
      {stages.map(({ kind, rows, isFinished }) => (
        <div key={kind}>
          <dt>{words(`${kind}Kind`)}</dt>
          <dd>
            {words('number', { count: rows })}
            {!isFinished && <span className="meta"> {words('goesOn')}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Notes({ notes }: Pick<ImportView, 'notes'>) {
  const words = useWords('importerAdmin')
  const reason = useReason()
  return (
    <details>
      <summary>{words('notes', { count: notes.length })}</summary>
      <ul className={css.findings}>
        {notes.map(({ note, count, samples }) => (
          <li key={note}>
            {words('finding', { count, why: reason(note) })} <span className="meta">{samples.join(' · ')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
