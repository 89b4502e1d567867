import { useLoaderData } from 'react-router'
import { ExactTime, fileTimeText } from '#base/admin/exact-time.tsx'
import { Filters } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { ReconciliationTabs } from '#reconciliation/admin/reconciliation-tabs.tsx'
import { ProviderFilter, State, useProviderName, Yuan, ZoneNote } from '#payment/admin/payment.tsx'
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
      <List
        of={statementList}
        page={page}
        columns={useColumns()}
        filters={
          <Filters>
            <ProviderFilter />
          </Filters>
        }
      />
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

function useColumns(): Column<StatementView>[] {
  const words = useWords('reconciliationAdmin')
  const nameOf = useProviderName()
  return [
    { name: 'day', label: words('day'), show: ({ day }) => <span className={css.number}>{day}</span>, text: ({ day }) => day },
    { name: 'provider', label: words('provider'), text: ({ provider }) => nameOf(provider) },
    {
      name: 'payments',
      label: words('payments'),
      show: ({ payments }) => words('count', { count: payments }),
      text: ({ payments }) => String(payments),
    },
    { name: 'paid', label: words('paid'), show: ({ paid }) => <Yuan of={paid} />, text: ({ paid }) => paid },
    {
      name: 'refunds',
      label: words('refunds'),
      show: ({ refunds }) => words('count', { count: refunds }),
      text: ({ refunds }) => String(refunds),
    },
    { name: 'refunded', label: words('refunded'), show: ({ refunded }) => <Yuan of={refunded} />, text: ({ refunded }) => refunded },
    { name: 'fees', label: words('fees'), show: ({ fees }) => <Yuan of={fees} />, text: ({ fees }) => fees },
    {
      name: 'differences',
      label: words('differences'),
      show: (row) => <Matches row={row} />,
      text: ({ open, differences }) => `${open} / ${differences}`,
    },
    {
      name: 'fetched',
      label: words('fetchedAt'),
      show: ({ fetchedAt }) => <ExactTime at={fetchedAt} />,
      text: ({ fetchedAt }) => fileTimeText(fetchedAt),
      isExtra: true,
    },
  ]
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
