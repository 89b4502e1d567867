import type { Range, SourceAuthor, SourceState } from '#importer/server/source.ts'
import { idsBetween, numberKeys, rowsBy, type TableRead } from '#importer/server/tables/pages.ts'
import { dateTime, flag, integer, text, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** An opened diyhi/bbs 7. */
export type Diyhi = {
  tables: SourceTables
  decode(bytes: Buffer): string
  /** Milliseconds by which its clock is ahead of UTC: times are stored as it shows them. */
  ahead: number
  /** The names that staff show, by their accounts. */
  staff: ReadonlyMap<string, string>
}

const shards = ['0', '1', '2', '3']

/** The names of a table that is split in four. */
export function shardsOf(table: string): string[] {
  return shards.map((shard) => `${table}_${shard}`)
}

/** Reads of such a table, whose keys are texts. */
export function shardReads(table: string, columns: readonly string[], perPage?: number): TableRead[] {
  const keys = [{ column: 'id', kind: 'text' as const }]
  return shardsOf(table).map((shard) => ({ table: shard, columns, keys, ...(perPage !== undefined && { perPage }) }))
}

/** The read of a table whose rows are numbered; its mark is one of several in that of the kind. */
export function readOf(table: string, columns: readonly string[], { since, upto }: Range, mark: number): TableRead {
  const where = idsBetween('id', since === null ? null : (since.split(' ')[mark] ?? '0'), upto.split(' ')[mark] || '0')
  return { table, columns, keys: numberKeys('id'), where, perPage: 200 }
}

/** Rows of another table by a text, such as the name that a member has inside. */
export async function rowsByText(
  { tables }: Diyhi,
  read: { table: string; columns: readonly string[]; column: string; order?: readonly string[] },
  values: readonly string[],
): Promise<(value: string) => readonly Row[]> {
  const found = await rowsBy(tables, read, values)
  return (value) => found.get(Buffer.from(value).toString('latin1')) ?? []
}

export function timeOf({ ahead }: Diyhi, row: Row, column: string): Date | null {
  const time = dateTime(row, column)
  return time && new Date(time.getTime() - ahead)
}

const hour = 3_600_000
const quarter = hour / 4
const ofChina = 8 * hour

/**
 * How far the program's clock was ahead of UTC. A member's digest is the moment of registering, in milliseconds of UTC, until the password
 * is changed: the most frequent difference to the stored time of registering says it. Without members, China's.
 */
export async function clockOf(tables: SourceTables): Promise<number> {
  const columns = ['registrationDate', 'securityDigest']
  const rows = await tables.page('user', { columns, keys: numberKeys('id'), after: null, limit: 1_000 })
  const differences = rows.flatMap((row) => {
    const [shown, moment] = [dateTime(row, 'registrationDate'), integer(row, 'securityDigest')]
    const ahead = shown ? Math.round((shown.getTime() - moment) / quarter) * quarter : Infinity
    return ahead >= -12 * hour && ahead <= 14 * hour ? [ahead] : []
  })
  const byLength = [...Map.groupBy(differences, (ahead) => ahead)].toSorted(([, one], [, other]) => other.length - one.length)
  return byLength[0]?.[0] ?? ofChina
}

/** 10 waits for a review, 20 is published; each more by 100 where its author, and by 100000 where staff deleted it. */
export function stateOf(row: Row): SourceState {
  const status = integer(row, 'status')
  return status === 20 ? 'published' : status === 10 ? 'pending' : 'deleted'
}

export type Writer = { author: SourceAuthor; /** The account is cancelled, and what it wrote not shown any more. */ isGone: boolean }

/** Who wrote these posts. Staff are no members. */
export async function writersOf(diyhi: Diyhi, rows: readonly Row[]): Promise<(row: Row) => Writer> {
  const nameIn = (row: Row) => text(row, 'userName', diyhi.decode)
  const names = rows.flatMap((row) => (flag(row, 'isStaff') ? [] : [nameIn(row)]))
  const users = await rowsByText(diyhi, { table: 'user', columns: ['cancelAccountTime'], column: 'userName' }, names)
  return (row) => {
    const name = nameIn(row)
    if (flag(row, 'isStaff')) return { author: { guestName: diyhi.staff.get(name) ?? name }, isGone: false }
    const [user] = users(name)
    if (!user) return { author: { guestName: '' }, isGone: false }
    return isCancelled(user) ? { author: { guestName: '' }, isGone: true } : { author: { memberId: name }, isGone: false }
  }
}

export function isCancelled(user: Row): boolean {
  return integer(user, 'cancelAccountTime') > 0
}
