import { toText } from '#base/rich-text/to-text.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'
import type { Page, Range, SourceBan, SourceGroup, SourceMember } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import type { Row } from '#importer/server/tables/source-tables.ts'
import {
  admins,
  everyMember,
  guests,
  id,
  isSet,
  moderators,
  plainText,
  smallTable,
  timeOf,
  type Flarum,
} from '#importer/server/flarum/source.ts'

/** A group that is hidden becomes no role, which would be shown beside its members. */
export async function groups(flarum: Flarum): Promise<SourceGroup[]> {
  const columns = ['id', 'name_singular', 'name_plural', 'is_hidden']
  const rows = await smallTable(flarum, 'groups', { columns, keys: numberKeys('id') })
  return rows.map((row) => {
    const its = id(row, 'id')
    const name = plainText(flarum, row, 'name_singular') || plainText(flarum, row, 'name_plural')
    const isStaff = its === admins || its === moderators
    return { id: its, name, isBuiltIn: its === guests || its === everyMember || (isSet(row, 'is_hidden') && !isStaff), isStaff }
  })
}

const account = ['id', 'username', 'email', 'is_email_confirmed', 'password', 'avatar_url', 'joined_at', 'last_seen_at']
const ofExtensions = ['nickname', 'bio', 'suspended_until', 'suspend_message']

export async function* members(flarum: Flarum, { after, since, upto }: Range): AsyncGenerator<Page<SourceMember>> {
  const table = flarum.table('users')
  const columns = await flarum.columnsOf(table, [...account, ...ofExtensions])
  const read = { table, columns, keys: numberKeys('id'), where: idsBetween('id', since, upto), perPage: 200 }
  yield* pagesOf(flarum.tables, read, after, async (rows) => {
    const memberships = await rowsBy(
      flarum.tables,
      { table: flarum.table('group_user'), columns: ['group_id'], column: 'user_id' },
      rows.map((row) => id(row, 'id')),
    )
    return rows.map((row) => memberOf(flarum, row, memberships.get(id(row, 'id')) ?? []))
  })
}

function memberOf(flarum: Flarum, row: Row, memberships: readonly Row[]): SourceMember {
  const [email, hash] = [plainText(flarum, row, 'email').trim(), plainText(flarum, row, 'password')]
  const isConfirmed = isSet(row, 'is_email_confirmed')
  return {
    id: id(row, 'id'),
    name: plainText(flarum, row, 'username'),
    email: email === '' ? null : { address: email, isConfirmed },
    password: hash === '' ? null : { family: 'flarum', hash },
    joinedAt: timeOf(row, 'joined_at'),
    lastSeenAt: timeOf(row, 'last_seen_at'),
    avatar: avatarIn(plainText(flarum, row, 'avatar_url')),
    // A member who has not confirmed the address has the rights of a guest there.
    groups: isConfirmed ? memberships.map((one) => ({ id: id(one, 'group_id'), until: null })) : [],
    bans: bansIn(flarum, row),
    credits: {},
    fields: {},
    about: aboutIn(flarum, row),
  }
}

/** A name in the folder of avatars. Old forums have whole addresses, some of other sites. */
function avatarIn(written: string): string | null {
  const name = written.includes('://') ? (/\/assets\/avatars\/([^/?#]+)$/.exec(written)?.[1] ?? '') : written
  return name === '' || name.includes('/') ? null : `assets/avatars/${name}`
}

/** Flarum writes “indefinitely” as this day. */
const forEver = new Date('2038-01-01T00:00:00Z')

/** A suspended member still reads there. */
function bansIn(flarum: Flarum, row: Row): SourceBan[] {
  const until = timeOf(row, 'suspended_until')
  return until ? [{ from: 'posting', reason: plainText(flarum, row, 'suspend_message'), until: until >= forEver ? null : until }] : []
}

function aboutIn(flarum: Flarum, row: Row): string {
  const [nickname, bio] = [plainText(flarum, row, 'nickname').trim(), plainText(flarum, row, 'bio')]
  const words = /^<[rt][ >]/.test(bio) ? toText(documentFromS9e(bio).document) : bio.trim()
  return [nickname, words].filter((one) => one !== '').join('\n')
}

/** Administrators and moderators. */
export async function staff(flarum: Flarum): Promise<{ name: string; as: string }[]> {
  const titles = new Map((await groups(flarum)).flatMap(({ id: its, name, isStaff }) => (isStaff ? [[its, name] as const] : [])))
  const held = await rowsBy(flarum.tables, { table: flarum.table('group_user'), columns: ['user_id'], column: 'group_id' }, [
    ...titles.keys(),
  ])
  const all = [...held].flatMap(([group, rows]) => rows.map((row) => ({ memberId: id(row, 'user_id'), as: titles.get(group) ?? '' })))
  const people = await rowsBy(
    flarum.tables,
    { table: flarum.table('users'), columns: ['username'], column: 'id' },
    all.map(({ memberId }) => memberId),
  )
  return all.flatMap(({ memberId, as }) => (people.get(memberId) ?? []).map((row) => ({ name: plainText(flarum, row, 'username'), as })))
}
