import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type Refusal, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { requireRecentProof, type ClientInfo, type StaffActor } from '#base/server/http/route.ts'
import {
  allSettings,
  isGuarded,
  isPicture,
  isSealed,
  isWriteOnly,
  type AnySetting,
  type SettingName,
  type Settings,
} from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { ChangedMeanwhile } from '#setting/contract.ts'
import { type changeSettings, type listSettings, type returnSetting, type settingHistory } from '#setting/staff-contract.ts'

export async function list(db: Db): Promise<Output<typeof listSettings>> {
  // Read first, so that later changes are known to be newer.
  const { now } = await db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow()
  const [values, sealed, rows] = await Promise.all([
    setting.stored(db),
    setting.secretsSet(db),
    db.selectFrom('setting').select(['name', 'changed_at', 'changed_by']).execute(),
  ])
  const changed = new Map(rows.map((row) => [row.name, { at: row.changed_at.toISOString(), by: row.changed_by }]))
  return {
    readAt: now.toISOString(),
    unsent: (['email', 'sms'] as const).filter((channel) => !setting.canSend(values, channel)),
    settings: Object.entries(allSettings).map(([name, { default: initial }]) => ({
      name,
      value: isWriteOnly(name) ? '' : values[name as SettingName],
      default: initial,
      isSet: isWriteOnly(name) ? sealed.has(name) || Boolean(values[name as SettingName]) : null,
      changed: changed.get(name) ?? null,
    })),
  }
}

export async function history(db: Db, name: string): Promise<Output<typeof settingHistory>> {
  const actions = await audit.about(db, [`setting ${name}`], 50)
  return { changes: actions.map(({ at, account, before, after }) => ({ at: at.toISOString(), by: account, before, after })) }
}

export async function change(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { seenAt, ...sent }: ParsedInput<typeof changeSettings>,
): Promise<void> {
  const names = Object.entries(sent).flatMap(([name, value]) => (isWriteOnly(name) && value === '' ? [] : [name as AnySetting]))
  if (names.length === 0) return
  await setting.lock(tx)
  const before = await setting.stored(tx)
  const values = sent as Partial<Settings> & Record<string, unknown>
  const had: Record<string, unknown> = before
  const since = await changedSince(tx, names, seenAt)
  const changes = new Map<AnySetting, unknown>()
  for (const name of names) {
    // A value left as it was read is no request to revert it.
    if (since.has(name) && JSON.stringify(since.get(name)) === JSON.stringify(values[name])) continue
    if (!isSealed(name) && JSON.stringify(had[name]) === JSON.stringify(values[name])) continue
    if (since.has(name)) throw await changedBy(tx, name)
    if (isGuarded(name)) requireRecentProof(by)
    changes.set(name, values[name])
  }
  await setting.changeAll(tx, changes, by.account)
  for (const [name, after] of changes) await note(tx, by, client, { action: 'setting.change', name, before: had[name], after })
}

export async function restoreDefault(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { name, seenAt }: ParsedInput<typeof returnSetting>,
): Promise<void> {
  if (!Object.hasOwn(allSettings, name) || isPicture(name)) throw Missing()
  const known = name as AnySetting
  if (isGuarded(name)) requireRecentProof(by)
  await setting.lock(tx)
  if ((await changedSince(tx, [known], seenAt)).size > 0) throw await changedBy(tx, name)
  const before: Record<string, unknown> = await setting.stored(tx)
  if (!(await setting.reset(tx, known))) return
  await note(tx, by, client, { action: 'setting.return', name, before: before[known], after: allSettings[known].default })
}

async function changedBy(tx: Db, name: string): Promise<Refusal> {
  return ChangedMeanwhile({ account: (await audit.lastActor(tx, `setting ${name}`)) ?? '' })
}

type Change = { action: 'setting.change' | 'setting.return'; name: string; before: unknown; after: unknown }

// The log has many readers and is permanent.
async function note(tx: Db, by: StaffActor, client: ClientInfo, { action, name, before, after }: Change): Promise<void> {
  await audit.note(tx, by, client, { action, about: `setting ${name}`, ...(!isWriteOnly(name) && { before, after }) })
}

/** The settings changed since a time, with their values at that time; unknown for secrets. */
async function changedSince(tx: Db, names: readonly AnySetting[], seenAt: string | undefined): Promise<Map<AnySetting, unknown>> {
  if (!seenAt) return new Map()
  const subjects = names.map((name) => `setting ${name}`)
  const firsts = await audit.firstSince(tx, subjects, new Date(seenAt))
  return new Map(
    names.flatMap((name) => {
      const first = firsts.find(({ about }) => about === `setting ${name}`)
      return first ? [[name, first.before] as const] : []
    }),
  )
}
