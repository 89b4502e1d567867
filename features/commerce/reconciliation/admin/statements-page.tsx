import { useLoaderData } from 'react-router'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { ReconciliationTabs } from '#reconciliation/admin/reconciliation-tabs.tsx'
import { State, useProviderName, ZoneNote } from '#payment/admin/payment.tsx'
import { statementList, type StatementFailure, type StatementView } from '#reconciliation/contract.ts'
import css from '#reconciliation/admin/reconciliation.module.css'

export function Page() {
  const words = useWords('reconciliationAdmin')
  const { page, failures } = useLoaderData<{ page: Output<typeof statementList>; failures: readonly StatementFailure[] }>()
  return (
    <>
      <ReconciliationTabs />
      <p className="meta">{words('statementsWhat')}</p>
      <FailedDays failures={failures} />
      <StaffList of={statementList} page={page} cells={statementCells(words)} />
      <ZoneNote />
    </>
  )
}

function FailedDays({ failures }: { failures: readonly StatementFailure[] }) {
  const words = useWords('reconciliationAdmin')
  const nameOf = useProviderName()
  if (failures.length === 0) return null
  return (
    <section className={`note ${css.failedDays}`} aria-labelledby="failed-days">
      <h2 id="failed-days">{words('failedDays')}</h2>
      <p>{words('failedDaysWhat')}</p>
      <ul>
        {failures.map(({ provider, day, problem, detail, tries }) => (
          <li key={`${provider} ${day}`}>
            <span className={css.number}>{day}</span> · {nameOf(provider)} · <strong>{words(`failed${problem}`)}</strong> (
            {words('failedTries', { count: tries })}){detail && <div className="meta">{detail}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function statementCells(words: Translate): CellsOf<typeof statementList> {
  return {
    day: { show: ({ day }) => <span className={css.number}>{day}</span> },
    payments: { show: ({ payments }) => words('count', { count: payments }) },
    refunds: { show: ({ refunds }) => words('count', { count: refunds }) },
    differences: { show: (row) => <Matches row={row} />, text: ({ open, differences }) => `${open} / ${differences}` },
  }
}

function Matches({ row: { id, open, differences } }: { row: StatementView }) {
  const words = useWords('reconciliationAdmin')
  if (differences === 0) return <State word={words('matches')} tone="good" />
  return (
    <Link to={`/admin/payment/difference?statement=${id}`}>
      <State
        word={open > 0 ? words('differencesOpen', { count: open }) : words('differencesSettled', { count: differences })}
        tone={open > 0 ? 'bad' : 'good'}
      />
    </Link>
  )
}
