import { sql } from 'kysely'
import { Refusal, throwAll } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { allSettings, isSealed, type AnySetting, type SettingName, type Settings } from '#setting/staff-contract.ts'
import { crossCheck } from '#setting/server/cross-checks.ts'
import { asStored } from '#setting/server/stored-form.ts'
import { changeSealed } from '#setting/server/sealed.ts'

/** Serialises changes of settings. */
export async function lock(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('setting'))`.execute(tx)
}

/** Changes settings; each value is parsed already. Refuses combinations that fail a cross check, for any caller. */
export async function changeAll(tx: Db, values: ReadonlyMap<AnySetting, unknown>, by: string): Promise<void> {
  const stored = new Map([...values].map(([name, value]) => [name, asStored(tx, name, value)]))
  throwAll([...stored.values()].filter((value) => value instanceof Refusal))
  for (const [name, value] of stored)
    if (isSealed(name)) await changeSealed(tx, name, String(value), by)
    else await change(tx, name, value as never, by)
  await crossCheck(tx, [...values.keys()])
}

/** Changes one setting. The value must be parsed and pass the cross checks. */
export async function change<Name extends SettingName>(tx: Db, name: Name, value: Settings[Name], by: string): Promise<void> {
  const row = { name, value: JSON.stringify(value), changed_by: by, changed_at: new Date() }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
  await store(tx, name, value)
}

/** Resets a setting to its default. False where it was there already. */
export async function reset(tx: Db, name: AnySetting): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('setting').where('name', '=', name).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await crossCheck(tx, [name])
  await store(tx, name, allSettings[name].default)
  return true
}

async function store(tx: Db, name: AnySetting, value: unknown): Promise<void> {
  if (name === 'timeZone') await sql`select change_site_zone(${value}, clock_timestamp())`.execute(tx)
  invalidate(tx, 'setting', 'everything')
}
