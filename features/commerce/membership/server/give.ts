import { sql, type RawBuilder } from 'kysely'
import { anyOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as notification from '#notification/server/notification.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const batchSize = 200
/** All members are scanned this often; new ones are checked every minute. */
const scanMinutes = 10

export type Conditions = { registeredFrom: Date | null; registeredBefore: Date | null; minPoints: number | null }

/** Matches members who get a gift: they meet the conditions, are active, approved and not banned, and did not get it from this task. */
export function matchesConditions({
  registeredFrom,
  registeredBefore,
  minPoints,
  taskId,
}: Conditions & { taskId: string | null }): RawBuilder<boolean> {
  const terms = [
    sql`member.deactivated_at is null and not ${user.isApprovalPending('member.id')}`,
    sql`not exists (select from member_ban where member_id = member.id and lifted_at is null and (ends_at is null or ends_at > now()))`,
    ...(registeredFrom ? [sql`joined_at >= ${registeredFrom}`] : []),
    ...(registeredBefore ? [sql`joined_at < ${registeredBefore}`] : []),
    ...(minPoints === null ? [] : [sql`points_earned >= ${minPoints}`]),
    ...(taskId === null ? [] : [sql`not exists (select from membership_gift where task_id = ${taskId} and member_id = member.id)`]),
  ]
  return sql<boolean>`${sql.join(terms, sql` and `)}`
}

/** Gives the due gifts in batches, each in its own transaction. */
export async function giveAll(database: Database): Promise<void> {
  const { rows } = await sql<{ id: string; isWhole: boolean; from: string; to: string }>`
    select id, kind = 'once' or looked_at is null or looked_at < now() - make_interval(mins => ${scanMinutes}) as "isWhole", looked_to as "from",
      (select coalesce(max(id), 0) from member)::text as "to"
    from membership_gift_task as task where ${isRunning} order by id`.execute(database.app)
  for (const { id, isWhole, from, to } of rows) {
    let batch: Batch | null = { last: isWhole ? '0' : from }
    while (batch?.last) batch = await giveNext(database, id, batch.last)
    if (batch && isWhole) await transact(database, (tx) => recordScan(tx, id, to))
  }
}

/** `last` is the last member of the batch; null if there are no more. */
type Batch = { last: string | null }

/** Gives to the next matching members; null if the task has ended, or another server holds its lock. */
function giveNext(database: Database, taskId: string, after: string): Promise<Batch | null> {
  return transact(database, (tx) => giveBatch(tx, taskId, after))
}

type Task = {
  role_id: string
  duration: number
  unit: string
  registered_from: Date | null
  registered_before: Date | null
  min_points: string | null
}
type GrantedRole = { memberId: string; endsAt: Date | null; zh: string; en: string }

async function giveBatch(tx: Db, taskId: string, after: string): Promise<Batch | null> {
  const task = await lockRunning(tx, taskId)
  if (!task) return null
  const { timeZone } = await setting.current(tx, 'timeZone')
  const minPoints = task.min_points === null ? null : Number(task.min_points)
  const matches = matchesConditions({ registeredFrom: task.registered_from, registeredBefore: task.registered_before, minPoints, taskId })
  // A member who is locked by a purchase or an edit gets it a minute later.
  const { rows: members } = await sql<{ id: string }>`
    select id from member where id > ${after}::bigint and ${matches} order by id limit ${batchSize} for no key update skip locked`.execute(
    tx,
  )
  const ids = members.map(({ id }) => id)
  // Queried after the locks: the members' roles cannot change until the transaction ends.
  const { rows } = await sql<GrantedRole>`
    with begins as (
      select member.id as member_id, held.id as holding_id, coalesce(upper(held.during), 'infinity') = 'infinity' and held.id is not null as is_for_good,
        coalesce(upper(held.during), clock.now) as start
      from member cross join (select clock_timestamp() as now) as clock
        left join lateral (
          select id, during from role_holding
          where member_id = member.id and role_id = ${task.role_id} and coalesce(upper(during), 'infinity') > clock.now
          order by lower(during) desc limit 1) as held on true
      where member.id = ${anyOf(ids)}),
    ends as materialized (
      select *, case when not is_for_good then membership_end(start, ${task.duration}::int, ${task.unit}, extract(day from start at time zone ${timeZone})::int,
        ${timeZone}) end as ends_at from begins),
    extended as (
      update role_holding set during = tstzrange(lower(during), ends_at, '[)'), is_taken = false from ends where id = holding_id and not is_for_good),
    begun as (
      insert into role_holding (member_id, role_id, during)
      select member_id, ${task.role_id}, tstzrange(start, ends_at, '[)') from ends where holding_id is null),
    noted as (
      insert into membership_gift (task_id, member_id, during)
      select ${taskId}, member_id, case when not is_for_good then tstzrange(start, ends_at, '[)') end from ends)
    select member_id as "memberId", ends_at as "endsAt", name_zh as zh, name_en as en from ends, role where role.id = ${task.role_id}`.execute(
    tx,
  )
  await notifyReceivers(tx, rows)
  return { last: ids.at(-1) ?? null }
}

async function notifyReceivers(tx: Db, granted: readonly GrantedRole[]): Promise<void> {
  await notification.notifyEach(
    tx,
    granted.flatMap(({ memberId, endsAt, zh, en }) =>
      endsAt ? { memberId, says: { kind: 'roleGiven', role: { zh, en }, endsAt: endsAt.toISOString() } as const } : [],
    ),
  )
  invalidate(tx, ...granted.map(({ memberId }) => `member:${memberId}`))
}

const isRunning = sql<boolean>`is_enabled and role_id is not null and finished_at is null and starts_at <= now() and (ends_at is null or ends_at > now())`

/** Locks the task against other servers; null if it is locked or was disabled meanwhile. */
async function lockRunning(tx: Db, taskId: string): Promise<Task | null> {
  const { rows } = await sql<Task>`
    select role_id, duration, unit, registered_from, registered_before, min_points from membership_gift_task
    where id = ${taskId} and ${isRunning} for update skip locked`.execute(tx)
  return rows[0] ?? null
}

/** Records a full scan. A task that gives once is finished when no matching member is left. */
async function recordScan(tx: Db, taskId: string, to: string): Promise<void> {
  const task = await lockRunning(tx, taskId)
  if (!task) return
  const minPoints = task.min_points === null ? null : Number(task.min_points)
  const matches = matchesConditions({ registeredFrom: task.registered_from, registeredBefore: task.registered_before, minPoints, taskId })
  await sql`
    update membership_gift_task set looked_at = now(), looked_to = ${to}::bigint,
      finished_at = case when kind = 'once' and not exists (select from member where ${matches}) then now() end
    where id = ${taskId}`.execute(tx)
}

const giveJob: Job = {
  name: 'membership-give',
  cron: '* * * * *',
  run: ({ database }) => giveAll(database),
}

export const jobs = [giveJob]
