import { id, integer, type Row } from '#importer/server/tables/source-tables.ts'
import { rowsBy } from '#importer/server/tables/pages.ts'
import type { Discuz } from '#importer/server/discuz/source.ts'

const banned = ['4', '5']
const locked = -1

/**
 * Which of some posts the board shows to administrators alone: those that staff blocked one by one and, by its setting `bannedmessages`, all of
 * members who are banned, locked, or gone.
 */
export async function masksAmong(discuz: Discuz, rows: readonly Row[]): Promise<(row: Row) => boolean> {
  const isBlocked = (row: Row) => (integer(row, 'status') & 1) === 1
  if (!discuz.settings.masksBanned) return isBlocked
  const authors = rows.map((row) => id(row, 'authorid')).filter((author) => author !== '0')
  const table = discuz.table('common_member')
  const columns = ['groupid', 'status']
  const members = new Map([
    ...(await rowsBy(discuz.tables, { table: `${table}_archive`, columns, column: 'uid' }, authors)),
    ...(await rowsBy(discuz.tables, { table, columns, column: 'uid' }, authors)),
  ])
  const isShown = (author: string) => {
    const member = members.get(author)?.[0]
    return member !== undefined && !banned.includes(id(member, 'groupid')) && integer(member, 'status') !== locked
  }
  return (row) => isBlocked(row) || (id(row, 'authorid') !== '0' && !isShown(id(row, 'authorid')))
}
