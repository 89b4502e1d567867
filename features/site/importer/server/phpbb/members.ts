import { documentFromPhpbb } from '#importer/server/body/phpbb-bbcode.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Page, Range, SourceBan, SourceGroup, SourceMember } from '#importer/server/source.ts'
import { allRows, idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, flag, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { anonymous, escapedText, type Phpbb } from '#importer/server/phpbb/source.ts'

const builtIn = 7
const staffGroups = ['GLOBAL_MODERATORS', 'ADMINISTRATORS']
const robot = 2

export async function groups(phpbb: Phpbb): Promise<(SourceGroup & { systemName: string })[]> {
  const rows = await allRows(phpbb.tables, {
    table: phpbb.table('groups'),
    columns: ['group_id', 'group_name', 'group_type'],
    keys: numberKeys('group_id'),
  })
  return rows.map((row) => {
    const name = escapedText(phpbb, row, 'group_name')
    const isBuiltIn = integer(row, 'group_type') === 3 || integer(row, 'group_id') <= builtIn
    return { id: id(row, 'group_id'), name, systemName: isBuiltIn ? name : '', isBuiltIn, isStaff: staffGroups.includes(name) }
  })
}

const columns = [
  'user_id',
  'user_type',
  'user_regdate',
  'username',
  'user_password',
  'user_email',
  'user_lastvisit',
  'user_last_active',
  'user_avatar',
  'user_avatar_type',
  'user_sig',
  'user_sig_bbcode_uid',
  'user_posts',
]
const keys = numberKeys('user_id')

/** Members but for robots and the account of visitors. An account that was never activated has an address that nobody confirmed. */
export async function* members(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceMember>> {
  const where = idsBetween('user_id', since ?? anonymous, upto)
  const has = await phpbb.tables.columns(phpbb.table('users'))
  const present = columns.filter((column) => has.some(({ name }) => name === column))
  yield* pagesOf(phpbb.tables, { table: phpbb.table('users'), columns: present, keys, where, perPage: 200 }, after, async (rows) => {
    const people = rows.filter((row) => integer(row, 'user_type') !== robot)
    const ids = people.map((row) => id(row, 'user_id'))
    const found = { memberships: await membershipsOf(phpbb, ids), bans: await bansOf(phpbb, ids), fields: await fieldsOf(phpbb, ids) }
    return people.map((row) => memberOf(phpbb, row, found))
  })
}

type Found = Record<'memberships' | 'bans' | 'fields', ReadonlyMap<string, Row[]>>

function membershipsOf(phpbb: Phpbb, ids: readonly string[]): Promise<Map<string, Row[]>> {
  return rowsBy(phpbb.tables, { table: phpbb.table('user_group'), columns: ['group_id', 'user_pending'], column: 'user_id' }, ids)
}

function bansOf(phpbb: Phpbb, ids: readonly string[]): Promise<Map<string, Row[]>> {
  const banned = ['ban_end', 'ban_exclude', 'ban_reason', 'ban_give_reason']
  return rowsBy(phpbb.tables, { table: phpbb.table('banlist'), columns: banned, column: 'ban_userid' }, ids)
}

/** The questions that every phpBB asks, and shows the answers to. */
const questions = new Map([
  ['pf_phpbb_location', 'Location'],
  ['pf_phpbb_website', 'Website'],
  ['pf_phpbb_occupation', 'Occupation'],
  ['pf_phpbb_interests', 'Interests'],
])

async function fieldsOf({ tables, table }: Phpbb, ids: readonly string[]): Promise<Map<string, Row[]>> {
  const answers = table('profile_fields_data')
  if (!(await tables.tables()).includes(answers)) return new Map()
  const present = (await tables.columns(answers)).flatMap(({ name }) => (questions.has(name) ? [name] : []))
  return present.length === 0 ? new Map() : rowsBy(tables, { table: answers, columns: present, column: 'user_id' }, ids)
}

function answersIn(phpbb: Phpbb, row: Row | undefined): Record<string, string> {
  const answers = [...questions].map(([column, name]) => [name, row?.[column] ? escapedText(phpbb, row, column).trim() : ''] as const)
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''))
}

function memberOf(phpbb: Phpbb, row: Row, { memberships, bans, fields }: Found): SourceMember {
  const its = id(row, 'user_id')
  const email = text(row, 'user_email', phpbb.decode).trim()
  return {
    id: its,
    name: escapedText(phpbb, row, 'username'),
    email: email === '' ? null : { address: email, isConfirmed: integer(row, 'user_type') !== 1 },
    password: passwordIn(phpbb, row),
    joinedAt: unixTime(row, 'user_regdate'),
    lastSeenAt: laterOf(unixTime(row, 'user_lastvisit'), row['user_last_active'] === undefined ? null : unixTime(row, 'user_last_active')),
    avatar: avatarIn(phpbb, row),
    groups: (memberships.get(its) ?? []).flatMap((one) => (flag(one, 'user_pending') ? [] : [{ id: id(one, 'group_id'), until: null }])),
    bans: (bans.get(its) ?? []).flatMap((one) => banIn(phpbb, one)),
    credits: {},
    fields: answersIn(phpbb, fields.get(its)?.[0]),
    about: aboutIn(phpbb, row),
  }
}

function passwordIn(phpbb: Phpbb, row: Row): SourceMember['password'] {
  const hash = text(row, 'user_password', phpbb.decode)
  return hash === '' ? null : { family: 'phpbb', hash }
}

function banIn(phpbb: Phpbb, row: Row): SourceBan[] {
  if (flag(row, 'ban_exclude')) return []
  return [{ from: 'logging in', reason: escapedText(phpbb, row, 'ban_give_reason'), until: unixTime(row, 'ban_end') }]
}

/** An uploaded picture is stored under the salt of the site and the number of its owner; a group's begins with g. */
function avatarIn({ config, decode }: Phpbb, row: Row): string | null {
  const [type, name] = [text(row, 'user_avatar_type', decode), text(row, 'user_avatar', decode)]
  if (name === '') return null
  if (type === 'avatar.driver.local' || type === '3') return `${config.get('avatar_gallery_path') ?? 'images/avatars/gallery'}/${name}`
  if (type !== 'avatar.driver.upload' && type !== '1') return null
  const [, owner = '', end = ''] = /^(g?\d+)(?:_\d+)?(\.[a-z]+)$/i.exec(name) ?? []
  return owner && `${config.get('avatar_path') ?? 'images/avatars/upload'}/${config.get('avatar_salt') ?? ''}_${owner}${end}`
}

function aboutIn(phpbb: Phpbb, row: Row): string {
  const signature = text(row, 'user_sig', phpbb.decode)
  if (signature === '') return ''
  return toText(documentFromPhpbb(signature, { bbcodeUid: text(row, 'user_sig_bbcode_uid', phpbb.decode) }).document)
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one > other ? one : other) : (one ?? other)
}

/** Members of the groups of administrators and moderators, and founders. */
export async function staff(phpbb: Phpbb): Promise<{ name: string; as: string }[]> {
  const all = await groups(phpbb)
  const ids = new Map(all.flatMap(({ id: its, name, isStaff }) => (isStaff ? [[its, name] as const] : [])))
  const byGroup = await rowsBy(phpbb.tables, { table: phpbb.table('user_group'), columns: ['user_id', 'group_id'], column: 'group_id' }, [
    ...ids.keys(),
  ])
  const held = [...byGroup.values()].flat().map((row) => ({ memberId: id(row, 'user_id'), as: ids.get(id(row, 'group_id')) ?? '' }))
  const people = await rowsBy(
    phpbb.tables,
    { table: phpbb.table('users'), columns: ['username'], column: 'user_id' },
    held.map(({ memberId }) => memberId),
  )
  return held.flatMap(({ memberId, as }) => (people.get(memberId) ?? []).map((row) => ({ name: escapedText(phpbb, row, 'username'), as })))
}
