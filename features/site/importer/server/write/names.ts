import { anyOf, type Db } from '#base/server/database/database.ts'
import * as user from '#user/server/user.ts'

const maxName = 90

/** A name on one line, in the form that ours have. */
export function cleanName(name: string): string {
  const line = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  return [...line].slice(0, maxName).join('')
}

/** These names, each with a number where another member, or an earlier one of them, has it already. */
export async function freeNames(tx: Db, wished: readonly string[]): Promise<string[]> {
  const taken = await takenKeys(tx, wished)
  const names: string[] = []
  for (const name of wished) {
    let free = name
    for (let number = 2; taken.has(user.nameKey(free)) || (free !== name && (await takenKeys(tx, [free])).size > 0); number++)
      free = `${[...name].slice(0, maxName - 8).join('')}-${number}`
    taken.add(user.nameKey(free))
    names.push(free)
  }
  return names
}

/** The keys of these names that members have. */
export async function takenKeys(tx: Db, names: readonly string[]): Promise<Set<string>> {
  const keys = names.map((name) => user.nameKey(name))
  const rows = await tx.selectFrom('taken_name').select('key').where('key', '=', anyOf(keys)).execute()
  return new Set(rows.map(({ key }) => key))
}
