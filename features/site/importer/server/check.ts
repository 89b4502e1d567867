import { anyOf, type Database } from '#base/server/database/database.ts'
import { normalizeEmail } from '#base/email-address.ts'
import * as contact from '#contact/server/contact.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import { kinds, type Reader, type SourceMember } from '#importer/server/source.ts'
import { cleanName, freeNames, takenKeys } from '#importer/server/write/names.ts'
import * as user from '#user/server/user.ts'

/** What an import will bring, for the operator, and the choices that it would make. Nothing is written. */
export async function checkImport(database: Database, reader: Reader): Promise<{ report: string; mapping: Mapping }> {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, await reader.count(kind))
  const [taken, staff] = [await conflictsOf(database, reader), await reader.staff()]
  const [first] = reader.credits
  const mapping: Mapping = {
    points: first?.id ?? null,
    money: null,
    groups: await groupsIn(reader),
    members: Object.fromEntries(taken.map(({ id, free }) => [id, { do: 'rename', name: free }])),
    language: isChinese(reader.title) ? 'zh' : 'en',
  }
  const lines = [
    `${reader.title} (${reader.program} ${reader.version})`,
    '',
    ...[...counts].flatMap(([kind, count]) => (count > 0 ? [`  ${kind.padEnd(14)} ${String(count).padStart(10)}`] : [])),
    ...creditLines(reader),
    ...(staff.length > 0 ? ['', 'Nobody becomes staff by an import. Give these their rights by hand:'] : []),
    ...staff.map(({ name, as }) => `  ${name}: ${as}`),
    ...(taken.length > 0
      ? ['', 'Members here have these names or addresses already. They come with another name, unless you choose otherwise:']
      : []),
    ...taken.map(({ name, why, free }) => `  ${name} (${why}) → ${free}`),
  ]
  return { report: lines.join('\n'), mapping }
}

function creditLines({ credits }: Reader): string[] {
  const [first, ...others] = credits
  if (!first) return []
  const rest = others.map(({ id, name }) => `${name} (${id})`).join(', ')
  return [
    '',
    `Points here will be ${first.name} (${first.id}).${rest ? ` There is also ${rest}: name one as "points" or "money" in the choices.` : ''}`,
  ]
}

async function groupsIn(reader: Reader): Promise<Mapping['groups']> {
  const groups: Mapping['groups'] = {}
  for await (const { rows } of reader.rows.groups({ after: null, since: null, upto: '' }))
    for (const { id, isBuiltIn, isStaff } of rows) if (!isBuiltIn && !isStaff) groups[id] = 'role'
  return groups
}

type Conflict = { id: string; name: string; why: 'name' | 'e-mail'; free: string }

/** Members whose name or address a member here has who did not come by this import. */
async function conflictsOf(database: Database, reader: Reader): Promise<Conflict[]> {
  const marks = await reader.marks()
  const conflicts: Conflict[] = []
  for await (const { rows } of reader.rows.members({ after: null, since: null, upto: marks.members ?? '' })) {
    const own = await importedAlready(database, reader, rows)
    const coming = rows.filter(({ id }) => !own.has(id))
    const taken = await takenAmong(database, coming)
    const names = await freeNames(
      database.app,
      taken.map(({ member }) => cleanName(member.name)),
    )
    for (const [index, { member, why }] of taken.entries())
      conflicts.push({ id: member.id, name: member.name, why, free: names[index] ?? member.name })
  }
  return conflicts
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

async function takenAmong({ app }: Database, members: readonly SourceMember[]): Promise<{ member: SourceMember; why: Conflict['why'] }[]> {
  const keys = await takenKeys(
    app,
    members.map(({ name }) => cleanName(name)),
  )
  const taken: { member: SourceMember; why: Conflict['why'] }[] = []
  for (const member of members) {
    const address = member.email && normalizeEmail(member.email.address)
    if (keys.has(user.nameKey(cleanName(member.name)))) taken.push({ member, why: 'name' })
    else if (address && (await contact.ownerOf(app, { kind: 'email', address })) !== null) taken.push({ member, why: 'e-mail' })
  }
  return taken
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text)
}
