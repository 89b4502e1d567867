import { toText } from '#base/rich-text/to-text.ts'
import { discourseBody } from '#importer/server/discourse/cooking.ts'
import { automatic, isOn, str, type Discourse } from '#importer/server/discourse/source.ts'
import { pathOf } from '#importer/server/discourse/upload-address.ts'
import type { Page, Range, SourceBan, SourceGroup, SourceMember } from '#importer/server/source.ts'
import { allRows, idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

export async function groups({ tables }: Discourse): Promise<SourceGroup[]> {
  const rows = await allRows(tables, { table: 'groups', columns: ['id', 'name', 'automatic'], keys: numberKeys('id') })
  return rows.map((row) => {
    const its = id(row, 'id')
    return { id: its, name: str(row, 'name'), isBuiltIn: flag(row, 'automatic'), isStaff: isStaffGroup(its) }
  })
}

function isStaffGroup(its: string): boolean {
  return automatic.staff.some((one) => one === its)
}

const columns = [
  'id',
  'username',
  'created_at',
  'last_seen_at',
  'active',
  'approved',
  'suspended_till',
  'silenced_till',
  'uploaded_avatar_id',
]
/** Where passwords were before they had a table of their own. */
const passwordColumns = ['password_hash', 'salt', 'password_algorithm']

/** Members. Accounts of the program itself have negative ids, and are none. */
export async function* members(discourse: Discourse, { after, since, upto }: Range): AsyncGenerator<Page<SourceMember>> {
  const has = await discourse.tables.columns('users')
  const older = passwordColumns.filter((column) => has.some(({ name }) => name === column))
  const read = {
    table: 'users',
    columns: [...columns, ...older],
    keys: numberKeys('id'),
    where: idsBetween('id', since, upto),
    perPage: 200,
  }
  yield* pagesOf(discourse.tables, read, after, async (rows) => {
    const found = await aboutMembers(discourse, rows)
    return rows.map((row) => memberOf(discourse, row, found))
  })
}

type Found = Awaited<ReturnType<typeof aboutMembers>>

/** What other tables have of some members. */
async function aboutMembers({ tables }: Discourse, rows: readonly Row[]) {
  const ids = rows.map((row) => id(row, 'id'))
  const by = (table: string, has: readonly string[], column = 'user_id', values: readonly string[] = ids, order: readonly string[] = []) =>
    rowsBy(tables, { table, columns: has, column, order }, values)
  const banned = rows.filter((row) => row['suspended_till'] || row['silenced_till'])
  return {
    passwords: await by('user_passwords', ['password_hash', 'password_salt', 'password_algorithm']),
    emails: await by('user_emails', ['email', 'primary']),
    tokens: await by('email_tokens', ['email', 'confirmed']),
    profiles: await by('user_profiles', ['bio_raw']),
    hidden: await hiddenProfiles(tables, ids),
    memberships: await by('group_users', ['group_id']),
    answers: await by('user_custom_fields', ['name', 'value'], 'user_id', ids, ['id']),
    fields: await shownFields(tables),
    bans: await by(
      'user_histories',
      ['action', 'details'],
      'target_user_id',
      banned.map((row) => id(row, 'id')),
      ['id'],
    ),
    avatars: await by(
      'uploads',
      ['url'],
      'id',
      rows.flatMap((row) => (row['uploaded_avatar_id'] ? [id(row, 'uploaded_avatar_id')] : [])),
    ),
  }
}

/** Members who show their profile to nobody. The option had a longer name until 2024. */
async function hiddenProfiles(tables: Discourse['tables'], ids: readonly string[]): Promise<Set<string>> {
  const has = (await tables.tables()).includes('user_options') ? await tables.columns('user_options') : []
  const columns = has.flatMap(({ name }) => (['hide_profile', 'hide_profile_and_presence'].includes(name) ? [name] : []))
  const options = await rowsBy(tables, { table: 'user_options', columns, column: 'user_id' }, ids)
  return new Set([...options].flatMap(([its, rows]) => (rows.some((row) => columns.some((column) => flag(row, column))) ? [its] : [])))
}

/** The questions whose answers others see on the profile or the card, by the names of their answers. */
async function shownFields(tables: Discourse['tables']): Promise<Map<string, string>> {
  const columns = ['id', 'name', 'show_on_profile', 'show_on_user_card']
  const rows = await allRows(tables, { table: 'user_fields', columns, keys: numberKeys('id') })
  const shown = rows.filter((row) => flag(row, 'show_on_profile') || flag(row, 'show_on_user_card'))
  return new Map(shown.map((row) => [`user_field_${id(row, 'id')}`, str(row, 'name')]))
}

function memberOf(discourse: Discourse, row: Row, found: Found): SourceMember {
  const its = id(row, 'id')
  const [avatar] = found.avatars.get(id(row, 'uploaded_avatar_id')) ?? []
  const isHidden = found.hidden.has(its)
  const [profile] = isHidden ? [] : (found.profiles.get(its) ?? [])
  return {
    id: its,
    name: str(row, 'username'),
    email: emailOf(row, found.emails.get(its) ?? [], found.tokens.get(its) ?? []),
    password: passwordOf(row, found.passwords.get(its)?.[0]),
    joinedAt: dateTime(row, 'created_at'),
    lastSeenAt: dateTime(row, 'last_seen_at'),
    avatar: avatar ? pathOf(str(avatar, 'url')) : null,
    groups: (found.memberships.get(its) ?? []).map((one) => ({ id: id(one, 'group_id'), until: null })),
    bans: bansOf(discourse, row, found.bans.get(its) ?? []),
    credits: {},
    fields: isHidden ? {} : fieldsOf(found.answers.get(its) ?? [], found.fields),
    about: profile ? plainText(str(profile, 'bio_raw')) : '',
  }
}

function emailOf(row: Row, emails: readonly Row[], tokens: readonly Row[]): SourceMember['email'] {
  const primary = emails.find((one) => flag(one, 'primary'))
  if (!primary) return null
  const address = str(primary, 'email').trim()
  const isTokenOf = (token: Row) => flag(token, 'confirmed') && str(token, 'email').toLowerCase() === address.toLowerCase()
  return address === '' ? null : { address, isConfirmed: flag(row, 'active') || tokens.some(isTokenOf) }
}

function passwordOf(row: Row, stored: Row | undefined): SourceMember['password'] {
  if (stored) {
    const hash = str(stored, 'password_algorithm') + str(stored, 'password_hash')
    return { family: 'discourse', hash, salt: str(stored, 'password_salt') }
  }
  const has = (column: string) => row[column] !== undefined && row[column] !== null
  if (!has('password_hash') || !has('salt')) return null
  const algorithm = has('password_algorithm') ? str(row, 'password_algorithm') : ''
  return { family: 'discourse', hash: algorithm + str(row, 'password_hash'), salt: str(row, 'salt') }
}

const suspended = 10
const silenced = 30
const foreverMs = 100 * 365 * 86_400_000

/** A ban for ever is one of a thousand years. Whoever waits for approval cannot log in either. */
function bansOf(discourse: Discourse, row: Row, histories: readonly Row[]): SourceBan[] {
  const ban = (from: SourceBan['from'], column: string, action: number): SourceBan[] => {
    const till = dateTime(row, column)
    if (!till || till <= discourse.now) return []
    const said = histories.findLast((one) => integer(one, 'action') === action)
    const reason = said ? (str(said, 'details').split('\n')[0] ?? '').trim() : ''
    return [{ from, reason, until: till.getTime() - discourse.now.getTime() > foreverMs ? null : till }]
  }
  const waits = isOn(discourse, 'must_approve_users') && !flag(row, 'approved')
  return [
    ...(waits ? [{ from: 'logging in' as const, reason: 'Not approved', until: null }] : []),
    ...ban('logging in', 'suspended_till', suspended),
    ...ban('posting', 'silenced_till', silenced),
  ]
}

function fieldsOf(answers: readonly Row[], names: ReadonlyMap<string, string>): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const row of answers) {
    const [name, value] = [names.get(str(row, 'name')), str(row, 'value')]
    if (name !== undefined && value !== '') fields[name] = fields[name] === undefined ? value : `${fields[name]}, ${value}`
  }
  return fields
}

function plainText(raw: string): string {
  return raw === '' ? '' : toText(discourseBody(raw, { fileAt: () => null, mentioned: () => null, polls: new Set() }).document)
}

export async function staff({ tables }: Discourse): Promise<{ name: string; as: string }[]> {
  const held = await rowsBy(tables, { table: 'group_users', columns: ['user_id'], column: 'group_id' }, [...automatic.staff])
  const ids = [...held.values()].flat().map((row) => id(row, 'user_id'))
  const people = await rowsBy(tables, { table: 'users', columns: ['username', 'admin', 'moderator'], column: 'id' }, ids)
  return [...people.values()].flat().flatMap((row) => {
    const as = flag(row, 'admin') ? 'admin' : flag(row, 'moderator') ? 'moderator' : null
    return as === null || integer(row, 'id') <= 0 ? [] : [{ name: str(row, 'username'), as }]
  })
}
