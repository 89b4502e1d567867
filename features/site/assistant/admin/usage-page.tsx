import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { BudgetBar } from '#assistant/admin/budget-bar.tsx'
import { UsageTable, useUsageText } from '#assistant/admin/usage-table.tsx'
import { usageJobs, type noteUsageExport, type UsageSums, type usageView } from '#assistant/usage-contract.ts'
import { Chart } from '#base/admin/chart.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { FilterChoice, FilterDay, Filters } from '#base/admin/filters.tsx'
import { Head } from '#base/admin/head.tsx'
import { saveCsv } from '#base/admin/save-csv.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import facts from '#base/admin/facts.module.css'

export type Usage = Output<typeof usageView>

export function Page() {
  const words = useWords('assistantAdmin')
  const usage = useLoaderData<Usage>()
  const { timeZone, from, until, keptDays, total, budget } = usage
  return (
    <>
      <Head title={words('usage')}>{total.answers > 0 && <SaveButton usage={usage} />}</Head>
      <BudgetBar budget={budget} />
      <UsageFilters usage={usage} />
      <p className="meta">
        {words('period', { from, until, zone: timeZone })} {words('usageKept', { days: keptDays })}
      </p>
      {total.answers === 0 ? <Empty>{words('noUsage')}</Empty> : <Tables usage={usage} />}
    </>
  )
}

function UsageFilters({ usage: { known, members } }: { usage: Usage }) {
  const words = useWords('assistantAdmin')
  return (
    <Filters>
      <FilterDay name="from" label={words('from')} />
      <FilterDay name="until" label={words('until')} />
      <FilterChoice name="job" label={words('job')} any={words('anyJob')} options={usageJobs.map((job) => [job, words(`job${job}`)])} />
      <FilterChoice name="model" label={words('model')} any={words('anyModel')} options={known.map(({ id, name }) => [id, name])} />
      <FilterPerson name="member" label={words('member')} members={members.map(({ member }) => member)} />
    </Filters>
  )
}

function Tables({ usage }: { usage: Usage }) {
  const words = useWords('assistantAdmin')
  const { total, days, jobs, models, members, memberCount } = usage
  const points = days.map(({ day, cost }) => ({ label: day, value: Number(cost) })).toReversed()
  return (
    <>
      <Totals of={total} />
      {days.length > 1 && Number(total.cost) > 0 && (
        <Chart title={words('costByDay')} points={points} sum={words('costSum', { cost: Number(total.cost) })} />
      )}
      <UsageTable title={words('byDay')} first={words('day')} rows={days.map((row) => ({ key: row.day, first: row.day, of: row }))} />
      <UsageTable
        title={words('byJob')}
        first={words('job')}
        rows={jobs.map((row) => ({ key: row.job, first: words(`job${row.job}`), of: row }))}
      />
      <UsageTable
        title={words('byModel')}
        first={words('model')}
        rows={models.map((row) => ({ key: row.model?.id ?? 'none', first: <ModelName of={row.model} />, of: row }))}
      />
      <UsageTable
        title={words('byMember')}
        first={words('member')}
        note={memberCount > members.length ? words('mostMembers', { shown: members.length, count: memberCount }) : undefined}
        rows={members.map((row) => ({ key: row.member.id, first: <MemberName of={row.member} />, of: row }))}
      />
    </>
  )
}

function Totals({ of }: { of: UsageSums }) {
  const words = useWords('assistantAdmin')
  const text = useUsageText()
  const visible = (['cost', 'answers', 'input', 'cached', 'output', 'estimated'] as const).filter(
    (name) => name !== 'estimated' || of.estimated > 0,
  )
  return (
    <dl className={facts.totals}>
      {visible.map((name) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>{text(of, name)}</dd>
        </div>
      ))}
    </dl>
  )
}

function ModelName({ of }: { of: Usage['models'][number]['model'] }) {
  const words = useWords('assistantAdmin')
  if (of === null) return words('removedModel')
  return (
    <>
      <bdi>{of.name}</bdi> {of.isStandIn && <span className="mark">{words('standIn')}</span>}
    </>
  )
}

function MemberName({ of: { id, name } }: { of: Usage['members'][number]['member'] }) {
  return mayDo('member.view') ? <Link to={`/admin/member/view?memberId=${id}`}>{name}</Link> : <bdi>{name}</bdi>
}

function SaveButton({ usage }: { usage: Usage }) {
  const words = useWords('assistantAdmin')
  const ofAll = useWords('admin')
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const columns = ['answers', 'input', 'cached', 'output', 'cost', 'estimated'] as const

  async function save(): Promise<void> {
    setBusy(true)
    try {
      const line = (by: string, name: string, of: UsageSums) => [by, name, ...columns.map((column) => String(of[column]))]
      const rows = [
        ...usage.days.map((row) => line(words('day'), row.day, row)),
        ...usage.jobs.map((row) => line(words('job'), words(`job${row.job}`), row)),
        ...usage.models.map((row) => line(words('model'), row.model?.name ?? words('removedModel'), row)),
        ...usage.members.map((row) => line(words('member'), row.member.name, row)),
      ]
      await api.write<typeof noteUsageExport>('/admin/assistant/usage/export', {
        rows: rows.length,
        asked: location.search.slice(0, 1_000),
      })
      saveCsv([[words('by'), words('name'), ...columns.map((column) => words(column))], ...rows], `ai-usage-${usage.from}-${usage.until}`)
    } catch (error) {
      // The call has reported it.
      if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" className="button quiet" disabled={isBusy} onClick={() => void save()}>
      {ofAll(isBusy ? 'exporting' : 'export')}
    </button>
  )
}
