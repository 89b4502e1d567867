import { anyOf, type Db } from '#base/server/database/database.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { sealedSettings, type SealedSetting } from '#setting/contract.ts'

const names = Object.keys(sealedSettings) as SealedSetting[]

/** Stands in the place of the value, so that everybody who may read settings learns only that there is one. */
const isSet = JSON.stringify(true)

/** A password or a key, for the one call that needs it: never for an answer, a log or a cache. Empty where none is set. The reader may not ask. */
export async function unsealed(db: Db, name: SealedSetting): Promise<string> {
  const row = await db.selectFrom('setting').select('sealed').where('name', '=', name).executeTakeFirst()
  return row?.sealed ? unseal(placeOf(name), row.sealed).toString() : ''
}

/** Which of them are set. */
export async function setNow(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('setting').select('name').where('name', '=', anyOf(names)).execute()
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
    value: isSet,
    sealed: seal(placeOf(name), text),
    changed_by: by,
    changed_at: new Date(),
  }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Removes all that was sealed with a key which is lost. Gives their names. */
export async function forgetSealed(tx: Db): Promise<string[]> {
  const rows = await tx.deleteFrom('setting').where('name', '=', anyOf(names)).returning('name').execute()
  return rows.map(({ name }) => name)
}

function placeOf(name: string): SealContext {
  return { purpose: 'setting', row: name }
}
