import { anyOf, type Db } from '#base/server/database/database.ts'
import type { SourceMember } from '#importer/server/source.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
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

/** The names of the members, each free: one that differs from another by case or width alone gets a number. */
export async function namesFor(tx: Db, context: ImportContext, members: readonly SourceMember[]): Promise<string[]> {
  const wished = members.map(({ id, name }) => {
    const choice = context.mapping.members[id]
    return choice?.do === 'rename' ? choice.name : cleanName(name) || `member-${id}`
  })
  const free = await freeNames(tx, wished)
  for (const [index, name] of free.entries())
    if (name !== wished[index]) context.note('name that another member has', `${wished[index]} → ${name}`)
  return free
}

/** Nicknames that are free beside the accounts of the same page. One may spell the account of its member in another way. */
export async function nicknamesFor(tx: Db, context: ImportContext, members: readonly SourceMember[], accounts: readonly string[]) {
  const wished = members.map(({ nickname }) => cleanName(nickname ?? ''))
  const isOwn = (index: number) => user.nameKey(wished[index] ?? '') === user.nameKey(accounts[index] ?? '')
  const others = wished.filter((name, index) => name !== '' && !isOwn(index))
  // Behind the accounts, each gets a number where it is one of them.
  const free = (await freeNames(tx, [...accounts, ...others])).slice(accounts.length)
  return wished.map((name, index) => {
    if (name === '' || name === accounts[index]) return null
    const nickname = isOwn(index) ? name : (free.shift() ?? name)
    if (nickname !== name) context.note('name that another member has', `${name} → ${nickname}`)
    return nickname
  })
}
