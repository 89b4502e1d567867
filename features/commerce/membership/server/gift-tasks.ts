import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { GiftRoleGone, GiftTaskFinished, GiftTaskUsed, type Unit } from '#membership/contract.ts'
import {
  type addGiftTask,
  type editGiftTask,
  type gifts,
  type giftStates,
  type giftTasks,
  type GiftTaskView,
  type previewGiftTask,
} from '#membership/gift-contract.ts'
import { matchesConditions, type Conditions } from '#membership/server/give.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

const maxPreview = 20

export async function list(db: Db): Promise<Output<typeof giftTasks>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  const [{ rows }, roles] = await Promise.all([
    sql<Row>`
      select task.id, task.version, task.name, role.id as "roleId", name_zh as zh, name_en as en, kind, registered_from, registered_before, min_points,
        starts_at, ends_at, duration, unit, is_enabled, finished_at is not null as "isFinished", starts_at > now() as "isPlanned", ends_at <= now() as "isOver",
        (select count(*) from membership_gift where task_id = task.id and during is not null) as given,
        (select count(*) from membership_gift where task_id = task.id and during is null) as skipped
      from membership_gift_task as task left join role on role.id = role_id order by task.id desc`.execute(db),
    db
      .selectFrom('role')
      .select(['id', 'name_zh as zh', 'name_en as en'])
      .where('is_default', '=', false)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ])
  return {
    tasks: rows.map((row) => viewOf(row, timeZone)),
    roles: roles.map(({ id, zh, en }) => ({ id, name: { zh, en } })),
    timeZone,
  }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: ParsedInput<typeof addGiftTask>): Promise<{ taskId: string }> {
  await requireGivableRole(tx, by, draft.roleId)
  const { id: taskId } = await tx
    .insertInto('membership_gift_task')
    .values(await rowOf(tx, draft))
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit.note(tx, by, client, { action: 'giftTask.add', about: `giftTask ${taskId}`, after: draft })
  return { taskId }
}

/** A task that has already given continues with its new terms for all other members. */
export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { taskId, version, ...draft }: ParsedInput<typeof editGiftTask>,
): Promise<void> {
  const { isFinished, ...before } = await lock(tx, taskId)
  await audit.refuseIfChanged(tx, `giftTask ${taskId}`, before.version, version)
  if (isFinished) throw GiftTaskFinished()
  await requireGivableRole(tx, by, draft.roleId)
  await tx
    .updateTable('membership_gift_task')
    .set({ ...(await rowOf(tx, draft)), version: version + 1, looked_at: null })
    .where('id', '=', taskId)
    .execute()
  await audit.note(tx, by, client, { action: 'giftTask.edit', about: `giftTask ${taskId}`, before, after: draft })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, taskId: string): Promise<void> {
  const before = await lock(tx, taskId)
  const gift = await tx.selectFrom('membership_gift').select('task_id').where('task_id', '=', taskId).limit(1).executeTakeFirst()
  if (gift) throw GiftTaskUsed()
  await tx.deleteFrom('membership_gift_task').where('id', '=', taskId).execute()
  await audit.note(tx, by, client, { action: 'giftTask.remove', about: `giftTask ${taskId}`, before })
}

export async function preview(
  db: Db,
  { roleId, taskId, ...asked }: ParsedInput<typeof previewGiftTask>,
): Promise<Answer<typeof previewGiftTask>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  const fits = matchesConditions({ ...conditionsIn(asked, timeZone), taskId: taskId ?? null })
  const forGood = sql<boolean>`exists (
    select from role_holding where member_id = member.id and role_id = ${roleId} and during @> now() and (upper_inf(during) or upper(during) = 'infinity'))`
  const [{ rows: counts }, { rows }] = await Promise.all([
    sql<{ count: number; forGood: number }>`
      select count(*)::int as count, (count(*) filter (where ${forGood}))::int as "forGood" from member where ${fits}`.execute(db),
    sql<{ id: string; name: string; registeredAt: Date; points: string; isForGood: boolean }>`
      select id, coalesce(nickname, account) as name, joined_at as "registeredAt", points_earned as points, ${forGood} as "isForGood"
      from member where ${fits} order by id limit ${maxPreview}`.execute(db),
  ])
  return {
    count: counts[0]?.count ?? 0,
    forGood: counts[0]?.forGood ?? 0,
    members: rows.map((row) => ({ ...row, points: Number(row.points) })),
  }
}

const keys = { at: { by: sql`gift.at`, as: 'timestamptz' } } as const

export async function recipients(db: Db, { taskId, ...asked }: ParsedInput<typeof gifts>): Promise<Answer<typeof gifts>> {
  const query = db
    .selectFrom('membership_gift as gift')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['member_id as id', 'gift.at'])
    .select((row) => row.fn.coalesce('nickname', 'account').as('name'))
    .select([sql<Date | null>`lower(during)`.as('startsAt'), sql<Date | null>`upper(during)`.as('endsAt')])
    .where('task_id', '=', taskId)
  const page = await paged(db, query, { ...asked, keys, id: sql`member_id` })
  return { ...page, rows: page.rows.map(({ name, ...row }) => ({ ...row, member: { id: row.id, name } })) }
}

type Row = {
  id: string
  version: number
  name: string
  roleId: string | null
  zh: string | null
  en: string | null
  kind: 'continuous' | 'once'
  registered_from: Date | null
  registered_before: Date | null
  min_points: string | null
  starts_at: Date
  ends_at: Date | null
  duration: number
  unit: Unit
  is_enabled: boolean
  isFinished: boolean
  isPlanned: boolean
  isOver: boolean | null
  given: string
  skipped: string
}

function viewOf(row: Row, zone: string): GiftTaskView {
  const { id, version, name, roleId, zh, en, kind, min_points, duration, unit } = row
  const dayIn = (moment: Date | null) => moment && dayAt(moment, zone)
  return {
    id,
    version,
    name,
    role: roleId === null || zh === null || en === null ? null : { id: roleId, name: { zh, en } },
    kind,
    registeredFrom: dayIn(row.registered_from),
    registeredBefore: dayIn(row.registered_before),
    minPoints: min_points === null ? null : Number(min_points),
    startsOn: dayIn(row.starts_at),
    // The last day of the task, inclusive.
    endsOn: row.ends_at && addDays(dayAt(row.ends_at, zone), -1),
    duration,
    unit,
    isEnabled: row.is_enabled,
    state: stateOf(row),
    given: Number(row.given),
    skipped: Number(row.skipped),
  }
}

function stateOf({ roleId, is_enabled, isFinished, isPlanned, isOver }: Row): (typeof giftStates)[number] {
  if (isFinished) return 'finished'
  if (!is_enabled || roleId === null) return 'off'
  if (isOver) return 'over'
  return isPlanned ? 'planned' : 'running'
}

type Draft = ParsedInput<typeof addGiftTask>

async function rowOf(tx: Db, draft: Draft) {
  const { name, roleId, kind, startsOn, endsOn, duration, unit, isEnabled } = draft
  const { timeZone } = await setting.current(tx, 'timeZone')
  const { registeredFrom, registeredBefore, minPoints } = conditionsIn(draft, timeZone)
  return {
    name,
    role_id: roleId,
    kind,
    registered_from: registeredFrom,
    registered_before: registeredBefore,
    min_points: minPoints === null ? null : String(minPoints),
    starts_at: startsOn
      ? startOfDay(startsOn, timeZone)
      : sql<Date>`date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone}`,
    ends_at: endsOn ? startOfDay(addDays(endsOn, 1), timeZone) : null,
    duration,
    unit,
    is_enabled: isEnabled,
  }
}

type Days = Pick<ParsedInput<typeof previewGiftTask>, 'registeredFrom' | 'registeredBefore' | 'minPoints'>

function conditionsIn({ registeredFrom, registeredBefore, minPoints }: Days, zone: string): Conditions {
  const startIn = (day: string | undefined) => (day === undefined ? null : startOfDay(day, zone))
  return { registeredFrom: startIn(registeredFrom), registeredBefore: startIn(registeredBefore), minPoints: minPoints ?? null }
}

// Members must not get a role by a gift that its author could not give them.
async function requireGivableRole(tx: Db, by: StaffActor, roleId: string): Promise<void> {
  const found = await tx
    .selectFrom('role')
    .select('id')
    .where('id', '=', roleId)
    .where('is_default', '=', false)
    .forShare()
    .executeTakeFirst()
  if (!found) throw GiftRoleGone()
  await role.assertRolesGivable(tx, by, [roleId])
}

async function lock(tx: Db, taskId: string) {
  const row = await tx
    .selectFrom('membership_gift_task')
    .select([
      'name',
      'role_id as roleId',
      'kind',
      'registered_from',
      'registered_before',
      'min_points',
      'starts_at',
      'ends_at',
      'duration',
      'unit',
    ])
    .select(['is_enabled as isEnabled', 'version', sql<boolean>`finished_at is not null`.as('isFinished')])
    .where('id', '=', taskId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}
