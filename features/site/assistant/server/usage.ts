import { sql, type RawBuilder } from 'kysely'
import { DayUsed, MonthUsed, TooManyStreams, type AssistantJob } from '#assistant/contract.ts'
import { silentSeconds } from '#assistant/server/heartbeat.ts'
import type { Model } from '#assistant/server/models.ts'
import { dayAt, addDays, minuteAt, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'

/** Tokens of an answer; cached ones are part of the input. */
export type Tokens = { input: number; cached: number; output: number; isEstimated: boolean }

/** The condition of a running answer. */
const isRunning = sql`ended_at is null and beat_at > clock_timestamp() - make_interval(secs => ${silentSeconds})`

/** The condition of a turn whose answer is running; false once its server was cut off. */
export function isBeingWritten(turnId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from assistant_usage where turn_id = ${turnId} and ${isRunning})`
}

type CurrentUsage = { answers: number; tokens: number; running: number; runningHere: number; monthCost: string }

const monthOf = (moment: RawBuilder<unknown>) => sql`date_trunc('month', site_day(${moment}))::date`
const costNow = sql`select cost from assistant_month where month = ${monthOf(sql`clock_timestamp()`)}`

/** The cost of the current month of the site, in millionths of a cent. */
export async function costOfMonth(db: Db): Promise<{ month: string; cost: bigint }> {
  const { rows } = await sql<{ month: string; cost: string }>`
    select to_char(${monthOf(sql`clock_timestamp()`)}, 'YYYY-MM') as month, coalesce((${costNow}), 0)::text as cost`.execute(db)
  return { month: rows[0]?.month ?? '', cost: BigInt(rows[0]?.cost ?? 0) }
}

/** The usage of a member today, and of the site this month. */
async function usedBy(db: Db, memberId: string): Promise<CurrentUsage> {
  const { rows } = await sql<CurrentUsage>`
    with today as (
      select input_tokens + output_tokens as tokens from assistant_usage
      where member_id = ${memberId} and began_at > clock_timestamp() - interval '2 days' and site_day(began_at) = site_day(clock_timestamp()) and job <> 'test'
    ), running as (
      select member_id, cost from assistant_usage where ${isRunning}
    )
    select (select count(*) from today)::int as answers, (select coalesce(sum(tokens), 0) from today)::float8 as tokens,
      (select count(*) from running)::int as running,
      (select count(*) from running where member_id = ${memberId})::int as "runningHere",
      (coalesce((${costNow}), 0) + (select coalesce(sum(cost), 0) from running))::text as "monthCost"`.execute(db)
  const [used] = rows
  if (!used) throw new Error('The use of a member cannot be counted')
  return used
}

/** Running answers on all servers. */
export async function running(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from assistant_usage where ${isRunning}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The answers left to a member today; 0 when the daily tokens are used up, too. */
export async function leftToday(db: Db, memberId: string): Promise<number> {
  const { assistantAnswersPerDay, assistantTokensPerDay } = await setting.all(db)
  const { answers, tokens } = await usedBy(db, memberId)
  return tokens >= assistantTokensPerDay ? 0 : Math.max(0, assistantAnswersPerDay - answers)
}

/** Costs are stored in millionths of a cent. */
export const unitsPerCent = 1_000_000n

/** Tokens reserved for an answer until it is settled: those of a long one. */
const reservedTokens = 8_000

/**
 * Reserves an answer for a member. Refuses where the daily limit, the monthly budget or the number of streams is used up; concurrent calls
 * are serialised.
 */
export async function reserve(tx: Db, memberId: string, job: AssistantJob): Promise<string> {
  const settings = await setting.all(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended('assistant', 0))`.execute(tx)
  const used = await usedBy(tx, memberId)
  if (used.answers >= settings.assistantAnswersPerDay || used.tokens >= settings.assistantTokensPerDay)
    throw DayUsed(nextDay(settings.timeZone))
  if (used.runningHere >= settings.assistantStreamsPerMember || used.running >= settings.assistantStreams) throw TooManyStreams()
  const budget = BigInt(settings.assistantCentsPerMonth) * unitsPerCent
  // Without a budget only free models are asked.
  if (budget > 0n && BigInt(used.monthCost) >= budget) throw MonthUsed()
  const { rows } = await sql<{ id: string }>`
    insert into assistant_usage (member_id, job, output_tokens, cost, is_estimated)
    select ${memberId}, ${job}, ${reservedTokens}, ${reservedTokens} * coalesce(max(output_price), 0)::bigint, true from assistant_model
    where is_enabled and ${job} = any(jobs) returning id::text`.execute(tx)
  return rows[0]?.id ?? ''
}

/** The time at which a member may ask again, in the site's time zone. */
function nextDay(zone: string): { until: string; zone: string } {
  return { until: minuteAt(startOfDay(addDays(dayAt(Date.now(), zone), 1), zone), zone), zone }
}

/** Counts the usage of a model test, outside of the limits of members. */
export async function countTest(tx: Db, memberId: string, model: Model, took: Tokens): Promise<void> {
  if (took.input + took.output === 0) return
  const { id } = await tx
    .insertInto('assistant_usage')
    .values({ member_id: memberId, job: 'test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await settle(tx, id, model, took)
}

/** Settles a reservation, once: the usage of the answer, and its cost by the prices of its model. */
export async function settle(db: Db, useId: string, model: Model | null, { input, cached, output, isEstimated }: Tokens): Promise<void> {
  const cost = model === null ? 0 : (input - cached) * model.inputPrice + cached * model.cachedPrice + output * model.outputPrice
  // The name of a model that staff removed meanwhile is left out.
  await sql`
    with settled as (
      update assistant_usage set ended_at = clock_timestamp(), model_id = (select id from assistant_model where id = ${model?.id ?? null}),
        input_tokens = ${input}, cached_tokens = ${cached}, output_tokens = ${output}, cost = ${cost}, is_estimated = ${isEstimated}
      where id = ${useId} and ended_at is null returning began_at, cost)
    insert into assistant_month (month, cost) select ${monthOf(sql`began_at`)}, cost from settled where cost > 0
    on conflict (month) do update set cost = assistant_month.cost + excluded.cost`.execute(db)
}

/** Links an answer to its turn of a chat. */
export async function linkTurn(tx: Db, useId: string, turnId: string): Promise<void> {
  await tx.updateTable('assistant_usage').set({ turn_id: turnId }).where('id', '=', useId).execute()
}

/** Estimates tokens: one per Chinese character, one per four letters. */
export function tokensIn(text: string): number {
  const wide = text.match(/[\u2e80-\uffdc]/g)?.length ?? 0
  return Math.ceil(wide + (text.length - wide) / 4)
}
