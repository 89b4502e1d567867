import { anyOf, type Db } from '#base/server/database/database.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { sealedSettings, type SealedSetting } from '#setting/staff-contract.ts'

/** A placeholder for the value, so that readers of settings only learn that one is set. */
const isSet = JSON.stringify(true)

/**
 * The secret in plain text, for the call that needs it: never for a response, a log or a cache. Empty where none is set. Not available to
 * the read-only role.
 */
export async function unsealed(db: Db, name: SealedSetting): Promise<string> {
  const row = await db.selectFrom('setting').select('sealed').where('name', '=', name).executeTakeFirst()
  return row?.sealed ? unseal(sealContext(name), row.sealed).toString() : ''
}

/** The names of those that are set. */
export async function secretsSet(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('setting').select('name').where('name', '=', anyOf(sealedSettings)).execute()
  return new Set(rows.map(({ name }) => name))
}

/** Sets one; an empty text removes it. */
export async function changeSealed(tx: Db, name: SealedSetting, text: string, by: string): Promise<void> {
  if (text === '') {
    await tx.deleteFrom('setting').where('name', '=', name).execute()
    return
  }
  const row = {
    name,
    value: isSet,
    sealed: seal(sealContext(name), text),
    changed_by: by,
    changed_at: new Date(),
  }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Removes all settings encrypted with a lost key. Returns their names. */
export async function purgeUndecryptable(tx: Db): Promise<string[]> {
  const rows = await tx.deleteFrom('setting').where('name', '=', anyOf(sealedSettings)).returning('name').execute()
  return rows.map(({ name }) => name)
}

function sealContext(name: string): SealContext {
  return { purpose: 'setting', row: name }
}
