import { normalizeEmail } from '#base/email-address.ts'
import { anyOf, type Database } from '#base/server/database/database.ts'
import { isStoredHash, treatmentOf } from '#base/server/security/imported-password.ts'
import * as contact from '#contact/server/contact.ts'
import type { Finding, ImportCheck } from '#importer/contract.ts'
import { findingsOf } from '#importer/server/check/findings.ts'
import type { Reader, SourceMember } from '#importer/server/source.ts'
import { cleanName, freeNames, takenKeys } from '#importer/server/write/names.ts'
import * as user from '#user/server/user.ts'

type Taken = ImportCheck['taken'][number]

/** All members, who are read whole: names, addresses and balances are about each. */
export type MembersCheck = {
  ids: ReadonlySet<string>
  taken: Taken[]
  changed: Finding[]
  credits: ImportCheck['credits']
  /** How many are in each group. */
  inGroups: ReadonlyMap<string, number>
  /** How many passwords are hashed once more. */
  hashes: number
}

export async function checkMembers(database: Database, reader: Reader): Promise<MembersCheck> {
  const [ids, inGroups] = [new Set<string>(), new Map<string, number>()]
  const [credits, faults, taken] = [creditsOf(reader), faultsOf(), [] as Taken[]]
  let hashes = 0
  for await (const rows of pagesOf(reader)) {
    taken.push(...(await takenIn(database, reader, rows)))
    for (const member of rows) {
      ids.add(member.id)
      for (const { id } of member.groups) inGroups.set(id, (inGroups.get(id) ?? 0) + 1)
      credits.add(member)
      faults.add(member)
      if (member.password && treatmentOf(member.password) === 'hashed once more') hashes++
    }
  }
  return { ids, taken, inGroups, hashes, changed: faults.all(), credits: credits.all() }
}

/** Members whose name or address a member here has who did not come by this import. */
export async function takenNames(database: Database, reader: Reader): Promise<Taken[]> {
  const taken: Taken[] = []
  for await (const rows of pagesOf(reader)) taken.push(...(await takenIn(database, reader, rows)))
  return taken
}

async function* pagesOf(reader: Reader): AsyncGenerator<readonly SourceMember[]> {
  const { members: upto = '' } = await reader.marks()
  for await (const { rows } of reader.rows.members({ after: null, since: null, upto })) yield rows
}

/** What a member loses: a way in, an address, or the very name. */
function faultsOf() {
  const findings = findingsOf()
  const [names, addresses] = [new Set<string>(), new Set<string>()]
  return {
    add({ id, name, password, passwordHash, isOfficial, email }: SourceMember) {
      const sample = { id, name: cleanName(name) || null }
      const key = user.nameKey(cleanName(name))
      if (names.has(key)) findings.add('name that another member has', sample)
      names.add(key)
      const comes = isOfficial || (passwordHash ? isStoredHash(passwordHash) : password && treatmentOf(password) !== 'unknown')
      if (!comes) findings.add('password of an unknown kind', sample)
      const address = email && normalizeEmail(email.address)
      if (email?.address && !address) findings.add('e-mail address that is none', sample)
      if (address && addresses.has(address)) findings.add('e-mail address that another member has', sample)
      if (address) addresses.add(address)
    },
    all: findings.all,
  }
}

function creditsOf(reader: Reader) {
  const sums = reader.credits.map((credit) => ({
    ...credit,
    amounts: { total: 0n, smallest: null as bigint | null, largest: null as bigint | null, holders: 0, debtors: 0 },
  }))
  return {
    add({ credits }: SourceMember) {
      for (const { id, amounts } of sums) {
        const amount = credits[id] ?? 0n
        amounts.total += amount
        if (amounts.smallest === null || amount < amounts.smallest) amounts.smallest = amount
        if (amounts.largest === null || amount > amounts.largest) amounts.largest = amount
        if (amount !== 0n) amounts.holders++
        if (amount < 0n) amounts.debtors++
      }
    },
    all: (): ImportCheck['credits'] =>
      sums.map(({ id, name, amounts: { total, smallest, largest, holders, debtors } }, index) => {
        const texts = { total: String(total), smallest: String(smallest ?? 0), largest: String(largest ?? 0) }
        return { id, name, becomesPoints: index === 0, holders, debtors, ...texts }
      }),
  }
}

async function takenIn(database: Database, reader: Reader, rows: readonly SourceMember[]): Promise<Taken[]> {
  const own = await importedAlready(database, reader, rows)
  const taken = await takenAmong(
    database,
    rows.filter(({ id, isOfficial }) => !own.has(id) && !isOfficial),
  )
  const names = await freeNames(
    database.app,
    taken.map(({ member }) => cleanName(member.name)),
  )
  return taken.map(({ member: { id, name }, why }, index) => ({ id, name, why, free: names[index] ?? name }))
}

async function importedAlready({ app }: Database, { program }: Reader, members: readonly SourceMember[]): Promise<Set<string>> {
  const rows = await app
    .selectFrom('import_row')
    .innerJoin('import', 'import.id', 'import_id')
    .select('old_id')
    .where('program', '=', program)
    .where('undone_at', 'is', null)
    .where('kind', '=', 'member')
    .where('old_id', '=', anyOf(members.map(({ id }) => id)))
    .execute()
  return new Set(rows.map(({ old_id }) => old_id))
}

async function takenAmong({ app }: Database, members: readonly SourceMember[]): Promise<{ member: SourceMember; why: Taken['why'] }[]> {
  const keys = await takenKeys(
    app,
    members.map(({ name }) => cleanName(name)),
  )
  const addressOf = ({ email }: SourceMember) => email && normalizeEmail(email.address)
  const bound = await contact.boundAmong(
    app,
    members.flatMap((member) => addressOf(member) ?? []),
  )
  return members.flatMap((member): { member: SourceMember; why: Taken['why'] }[] => {
    if (keys.has(user.nameKey(cleanName(member.name)))) return [{ member, why: 'name' }]
    return bound.has(addressOf(member) ?? '') ? [{ member, why: 'e-mail' }] : []
  })
}
