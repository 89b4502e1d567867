import { sql, type RawBuilder } from 'kysely'
import { budgetOf, yuanOf } from '#assistant/server/assistant.ts'
import {
  maxDays,
  maxMembers,
  usageJobs,
  usageRetentionDays,
  type UsageJob,
  type UsageSums,
  type usageView,
} from '#assistant/usage-contract.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt, sqlDay, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'

type UsageParams = ParsedInput<typeof usageView>
type UsageRow = Omit<UsageSums, 'cost'> & { cost: string }
type Row = UsageRow & {
  kind: number
  day: string | null
  job: UsageJob | null
  modelId: string | null
  modelName: string | null
  isStandIn: boolean | null
  memberId: string | null
  memberName: string | null
  all: number
}

// Bits of `grouping`, set for dimensions a row is not grouped by: day, job, model, member.
const kinds = { total: 0b1111, day: 0b0111, job: 0b1011, model: 0b1101, member: 0b1110 }

export async function show(db: Db, params: UsageParams): Promise<Output<typeof usageView>> {
  const { timeZone } = await setting.all(db)
  const { from, until } = daysOf(params, dayAt(Date.now(), timeZone))
  const [rows, budget, known] = await Promise.all([
    sumsOf(db, params, { since: startOfDay(from, timeZone), end: startOfDay(addDays(until, 1), timeZone), zone: timeZone }),
    budgetOf(db),
    db.selectFrom('assistant_model').select(['id', 'name']).orderBy('sort').orderBy('id').execute(),
  ])
  const rowsOf = (kind: keyof typeof kinds) => rows.filter((row) => row.kind === kinds[kind])
  const members = rowsOf('member')
  return {
    timeZone,
    from,
    until,
    keptDays: usageRetentionDays,
    total: viewOf(rowsOf('total')[0] ?? noUsage),
    days: rowsOf('day')
      .map((row) => ({ day: row.day ?? '', ...viewOf(row) }))
      .toSorted((one, other) => other.day.localeCompare(one.day)),
    jobs: usageJobs.flatMap((job) =>
      rowsOf('job')
        .filter((row) => row.job === job)
        .map((row) => ({ job, ...viewOf(row) })),
    ),
    models: rowsOf('model').map((row) => ({ model: modelOf(row), ...viewOf(row) })),
    members: members.map((row) => ({ member: { id: row.memberId ?? '', name: row.memberName ?? '' }, ...viewOf(row) })),
    memberCount: members[0]?.all ?? 0,
    budget,
    known,
  }
}

/** The first day with stored usage. */
export function firstStoredDay(zone: string): string {
  return addDays(dayAt(Date.now(), zone), 1 - usageRetentionDays)
}

/** The requested days; by default the current month. */
function daysOf({ from, until }: UsageParams, today: string): { from: string; until: string } {
  const last = until ?? (from !== undefined && from > today ? from : today)
  const first = from ?? `${last.slice(0, 7)}-01`
  const longest = addDays(last, 1 - maxDays)
  return { from: first < longest ? longest : first, until: last }
}

type Period = { since: Date; end: Date; zone: string }

/** All sums in one query. Of members, only the most expensive ones. */
async function sumsOf(db: Db, { job, model, member }: UsageParams, { since, end, zone }: Period): Promise<Row[]> {
  const only = (column: RawBuilder<unknown>, value: string | undefined) => (value === undefined ? sql`` : sql`and ${column} = ${value}`)
  const { rows } = await sql<Row>`
    with used as (
      select ${sqlDay(sql`began_at`, zone)} as day, job, model_id, member_id, input_tokens, cached_tokens, output_tokens, cost, is_estimated
      from assistant_usage where began_at >= ${since} and began_at < ${end} and ended_at is not null
        ${only(sql`job`, job)} ${only(sql`model_id`, model)} ${only(sql`member_id`, member)}
    ), summed as (
      select grouping(day, job, model_id, member_id) as kind, day, job, model_id, member_id, count(*)::int as answers,
        sum(input_tokens)::float8 as input, sum(cached_tokens)::float8 as cached, sum(output_tokens)::float8 as output,
        sum(cost)::text as cost, count(*) filter (where is_estimated)::int as estimated
      from used group by grouping sets ((), (day), (job), (model_id), (member_id))
    ), placed as (
      select summed.*, count(*) over by_kind::int as "all",
        row_number() over (partition by kind order by cost::numeric desc, answers desc, member_id) as place
      from summed where answers > 0 window by_kind as (partition by kind)
    )
    select kind, day::text, job, model_id::text as "modelId", model.name as "modelName", model.is_stand_in as "isStandIn",
      member_id::text as "memberId", coalesce(member.nickname, member.account) as "memberName", answers, input, cached, output, cost, estimated, "all"
    from placed left join assistant_model as model on model.id = model_id left join member on member.id = member_id
    where kind <> ${kinds.member} or place <= ${maxMembers}
    order by kind, place`.execute(db)
  return rows
}

const noUsage: UsageRow = { answers: 0, input: 0, cached: 0, output: 0, cost: '0', estimated: 0 }

function viewOf({ answers, input, cached, output, cost, estimated }: UsageRow): UsageSums {
  return { answers, input, cached, output, cost: yuanOf(BigInt(cost)), estimated }
}

function modelOf({ modelId, modelName, isStandIn }: Row) {
  return modelId === null ? null : { id: modelId, name: modelName ?? '', isStandIn: isStandIn ?? false }
}
