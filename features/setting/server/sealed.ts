import { anyOf, type Db } from '#base/server/database.ts'
import { seal, unseal, type Place } from '#base/server/sealing.ts'
import { sealedSettings, type SealedSetting } from '#setting/contract.ts'

const names = Object.keys(sealedSettings) as SealedSetting[]

/** A password or a key, for the one call that needs it: never for an answer, a log or a cache. Empty where none is set. */
export async function unsealed(db: Db, name: SealedSetting): Promise<string> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? '' : contentOf(name, row.value)
}

/** Which of them are set. */
export async function setNow(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('setting').select('name').where('name', '=', anyOf(names)).where('value', '<>', '""').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Replaces one; the empty text removes it. */
export async function changeSealed(tx: Db, name: SealedSetting, text: string, by: string): Promise<void> {
  if (text === '') {
    await tx.deleteFrom('setting').where('name', '=', name).execute()
    return
  }
  const row = {
    name,
    value: JSON.stringify({ sealed: seal(placeOf(name), text).toString('base64') }),
    changed_by: by,
    changed_at: new Date(),
  }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Seals what was set before there was a key. */
export async function sealOld(db: Db): Promise<void> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', '=', anyOf(names)).execute()
  for (const { name, value } of rows) {
    if (typeof value !== 'string') continue
    const box = JSON.stringify({ sealed: seal(placeOf(name), value).toString('base64') })
    const old = JSON.stringify(value)
    await db.updateTable('setting').set({ value: box }).where('name', '=', name).where('value', '=', old).execute()
  }
}

/** Removes all that was sealed with a key which is lost. Gives their names. */
export async function forgetSealed(tx: Db): Promise<string[]> {
  const rows = await tx.deleteFrom('setting').where('name', '=', anyOf(names)).returning('name').execute()
  return rows.map(({ name }) => name)
}

function contentOf(name: SealedSetting, value: unknown): string {
  if (typeof value === 'object' && value !== null && 'sealed' in value)
    return unseal(placeOf(name), Buffer.from(String(value.sealed), 'base64')).toString()
  return String(value)
}

function placeOf(name: string): Place {
  return { purpose: 'setting', row: name }
}
