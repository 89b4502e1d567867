import { useEffect, useRef, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { examine, FindingView } from '#maintenance/doctor-contract.ts'
import css from '#maintenance/admin/maintenance.module.css'

const wrongStates = ['bad', 'warn', 'unknown'] as const

export function Page() {
  const words = useWords('maintenanceAdmin')
  const { findings, state, run } = useExamination()
  const isRunning = state === 'running'
  const wrong = wrongStates.flatMap((state) => findings.filter((finding) => finding.state === state))
  const fine = findings.filter(({ state }) => state === 'ok')
  return (
    <>
      <h1>{words('doctor')}</h1>
      <p className="meta">{words('doctorWhat')}</p>
      <p>
        <button type="button" className="button" disabled={isRunning} onClick={() => void run()}>
          {words('examine')}
        </button>
      </p>
      <Progress findings={findings} isRunning={isRunning} />
      {state === 'failed' && <p role="alert">{words('examineFailed')}</p>}
      {state === 'new' && <Empty>{words('unexamined')}</Empty>}
      <Findings findings={wrong} />
      {fine.length > 0 && (
        <details>
          <summary>{words('checksFine', { count: fine.length })}</summary>
          <Findings findings={fine} />
        </details>
      )}
    </>
  )
}

type State = 'new' | 'running' | 'done' | 'failed'

/** The findings so far. Leaving the page ends the call. */
function useExamination() {
  const api = useApi()
  const [findings, setFindings] = useState<readonly FindingView[]>([])
  const [state, setState] = useState<State>('new')
  const control = useRef<AbortController>(null)
  useEffect(() => () => control.current?.abort(), [])

  async function run(): Promise<void> {
    const { signal } = (control.current = new AbortController())
    setFindings([])
    setState('running')
    try {
      const onPiece = (finding: FindingView) => setFindings((before) => [...before, finding])
      await api.stream<typeof examine>('/admin/maintenance/examine', {}, { onPiece, signal })
      setState('done')
    } catch {
      // The call has reported it.
      if (!signal.aborted) setState('failed')
    }
  }

  return { findings, state, run }
}

function Progress({ findings, isRunning }: { findings: readonly FindingView[]; isRunning: boolean }) {
  const words = useWords('maintenanceAdmin')
  const count = (state: FindingView['state']) => findings.filter((finding) => finding.state === state).length
  if (isRunning)
    return (
      <div className={`note ${css.atWork}`} role="status">
        <progress aria-label={words('doctor')} />
        <span>{words('examining', { count: findings.length })}</span>
      </div>
    )
  return (
    <p role="status">{findings.length > 0 && words('examined', { bad: count('bad'), warn: count('warn'), unknown: count('unknown') })}</p>
  )
}

function Findings({ findings }: { findings: readonly FindingView[] }) {
  const words = useWords('maintenanceAdmin')
  return (
    <ul className={css.found}>
      {findings.map(({ state, word, values }) => (
        <li key={JSON.stringify([word, values])}>
          <span className={css.standing} data-is={state}>
            {words(`${state}Finding`)}
          </span>
          <div>
            <p>{words(word, values)}</p>
            {state !== 'ok' && <p className="meta">{words(`${word}Cure`, values)}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
