import type { Page, Range, SourceBan, SourceGroup, SourceMember } from '#importer/server/source.ts'
import { allRows, idsBetween, numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, bigint, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { namedLevels } from '#importer/server/discuz/forums.ts'
import { plainText, tabbed, type Discuz } from '#importer/server/discuz/source.ts'

const noPosting = '4'
const shutOut = ['5', '6']

/** Groups of the system are none here, nor those that members reach by their credits, but for those that open a forum. */
export async function groups(discuz: Discuz): Promise<SourceGroup[]> {
  const rows = await allRows(discuz.tables, {
    table: discuz.table('common_usergroup'),
    columns: ['groupid', 'radminid', 'type', 'grouptitle'],
    keys: numberKeys('groupid'),
  })
  const levels = await namedLevels(discuz)
  const isBuiltIn = (row: Row) => {
    const type = text(row, 'type', discuz.decode)
    return type === 'member' ? !levels.has(id(row, 'groupid')) : type !== 'special'
  }
  return rows.map((row) => ({
    id: id(row, 'groupid'),
    name: plainText(discuz, row, 'grouptitle').replaceAll(/<[^>]*>/g, ''),
    isBuiltIn: isBuiltIn(row),
    isStaff: integer(row, 'radminid') > 0,
  }))
}

/** Members with their accounts of UCenter; those who were long absent lie in tables of their own. */
export async function* members(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceMember>> {
  const table = discuz.table('common_member')
  const columns = ['username', 'email', 'emailstatus', 'avatarstatus', 'groupid', 'groupexpiry', 'extgroupids', 'regdate']
  const read = { columns, keys: numberKeys('uid'), where: idsBetween('uid', since, upto), perPage: 200 }
  const reads = ['', '_archive'].map((suffix) => ({ table: `${table}${suffix}`, ...read }))
  yield* pagesInTurn(discuz.tables, reads, after, async (rows, of) => {
    const suffix = of.slice(table.length)
    return membersOf(discuz, suffix === '' ? rows : await archivedAlone(discuz, rows), suffix)
  })
}

/** A member who came back may lie in the archive all the same. */
async function archivedAlone(discuz: Discuz, rows: readonly Row[]): Promise<Row[]> {
  const back = await rowsBy(
    discuz.tables,
    { table: discuz.table('common_member'), columns: [], column: 'uid' },
    rows.map((row) => id(row, 'uid')),
  )
  return rows.filter((row) => !back.has(id(row, 'uid')))
}

async function membersOf(discuz: Discuz, rows: readonly Row[], suffix: string): Promise<SourceMember[]> {
  const ids = rows.map((row) => id(row, 'uid'))
  const by = (table: string, columns: readonly string[]) => rowsBy(discuz.tables, { table, columns, column: 'uid' }, ids)
  const credits = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `extcredits${number}`)
  const found = {
    accounts: await by(discuz.ucenter('members'), ['password', 'salt', 'email']),
    counts: await by(`${discuz.table('common_member_count')}${suffix}`, credits),
    status: await by(`${discuz.table('common_member_status')}${suffix}`, ['lastvisit']),
    profiles: await by(`${discuz.table('common_member_profile')}${suffix}`, ['bio']),
    signatures: await by(`${discuz.table('common_member_field_forum')}${suffix}`, ['sightml']),
  }
  return rows.map((row) => memberOf(discuz, row, found))
}

type Found = Record<'accounts' | 'counts' | 'status' | 'profiles' | 'signatures', ReadonlyMap<string, Row[]>>

function memberOf(discuz: Discuz, row: Row, found: Found): SourceMember {
  const its = id(row, 'uid')
  const [account, count, status] = [found.accounts.get(its)?.[0], found.counts.get(its)?.[0], found.status.get(its)?.[0]]
  const email = plainText(discuz, row, 'email') || (account ? plainText(discuz, account, 'email') : '')
  const [groupId, expiry] = [id(row, 'groupid'), unixTime(row, 'groupexpiry')]
  const further = tabbed(text(row, 'extgroupids', discuz.decode)).map((one) => ({ id: one, until: null }))
  return {
    id: its,
    name: plainText(discuz, row, 'username'),
    email: email === '' ? null : { address: email, isConfirmed: integer(row, 'emailstatus') === 1 },
    password: account ? passwordIn(discuz, account) : null,
    joinedAt: unixTime(row, 'regdate'),
    lastSeenAt: status ? unixTime(status, 'lastvisit') : null,
    avatar: integer(row, 'avatarstatus') === 1 ? avatarOf(its) : null,
    groups: [{ id: groupId, until: expiry }, ...further],
    bans: bansOf(groupId, expiry),
    credits: count
      ? Object.fromEntries([...discuz.settings.credits.keys()].map((credit) => [credit, bigint(count, `extcredits${credit}`)]))
      : {},
    fields: {},
    about: aboutOf(discuz, found, its),
  }
}

/** The salt says which of two ways: with one the old, without one the new. */
function passwordIn({ decode, isGbk }: Discuz, account: Row): SourceMember['password'] {
  const [hash, salt] = [text(account, 'password', decode), text(account, 'salt', decode)]
  return hash === '' ? null : { family: 'discuz', hash, salt, ...(isGbk && { charset: 'gbk' as const }) }
}

/** UCenter keeps avatars by the nine digits of the number. */
function avatarOf(uid: string): string {
  const digits = uid.padStart(9, '0')
  const [folder, rest] = [`${digits.slice(0, 3)}/${digits.slice(3, 5)}/${digits.slice(5, 7)}`, digits.slice(7)]
  return `uc_server/data/avatar/${folder}/${rest}_avatar_big.jpg`
}

function bansOf(groupId: string, until: Date | null): SourceBan[] {
  if (groupId === noPosting) return [{ from: 'posting', reason: '', until }]
  return shutOut.includes(groupId) ? [{ from: 'logging in', reason: '', until }] : []
}

function aboutOf(discuz: Discuz, { profiles, signatures }: Found, uid: string): string {
  const [profile, signature] = [profiles.get(uid)?.[0], signatures.get(uid)?.[0]]
  const bio = profile ? plainText(discuz, profile, 'bio') : ''
  const signed = signature ? plainText(discuz, signature, 'sightml').replaceAll(/<[^>]*>/g, '') : ''
  return [bio.trim(), signed.trim()].filter((one) => one !== '').join('\n')
}

/** Members whose group administers or moderates. */
export async function staff(discuz: Discuz): Promise<{ name: string; as: string }[]> {
  const titles = new Map((await groups(discuz)).flatMap(({ id: its, name, isStaff }) => (isStaff ? [[its, name] as const] : [])))
  const byGroup = await rowsBy(
    discuz.tables,
    { table: discuz.table('common_member'), columns: ['username', 'groupid'], column: 'groupid' },
    titles.size > 0 ? [...titles.keys()] : ['1', '2', '3'],
  )
  return [...byGroup].flatMap(([group, rows]) =>
    rows.map((row) => ({ name: plainText(discuz, row, 'username'), as: titles.get(group) ?? `group ${group}` })),
  )
}
