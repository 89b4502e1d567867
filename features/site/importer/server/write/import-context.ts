import { sql, type Insertable } from 'kysely'
import { anyOf, insertRows, type Database, type Db } from '#base/server/database/database.ts'
import type { Tables } from '#database/tables.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import type { Reader, TargetOf } from '#importer/server/source.ts'
import type { KeptTable } from '#importer/server/source-same.ts'

/**
 * Kinds of ids in `import_row`. A post that opens a topic is an `opening`; a name is a member by the name that texts have for them; a copy is a
 * message to one of its readers; who is left out has the closed account of their posts; what is kept was here before, and stays when the import
 * is undone; an unlinked post has links to pages of the old site that had not come when it was written.
 */
export type RowKind =
  | 'group'
  | 'tag'
  | 'member'
  | 'name'
  | 'guest'
  | 'left out'
  | 'file'
  | 'thread'
  | 'opening'
  | 'comment'
  | 'reply'
  | 'message'
  | 'copy'
  | 'option'
  | 'kept'
  | 'unlinked'

/** What every stage of an import needs. */
export type ImportContext = {
  importId: string
  /** Opened as the owner, who may write what the program may not: openings of hidden parts, and messages of others. */
  database: Database
  reader: Reader
  targetOf: TargetOf
  mapping: Mapping
  /** The member who is the author of posts whose author has no name. */
  guestId: string
  /** The staff account in whose name bans are given. */
  staffId: string
  /** The member that the site speaks as. */
  officialId: string
  /** The forum was new, and the source is one of this program: ids stay, so that addresses do. */
  keepsIds: boolean
  now: Date
  /** Counts what had no place, with a sample. */
  note(note: string, sample: string): void
}

type NewRow = { kind: RowKind; oldId: string; newId: string; topicId?: string; number?: number | null }

/** Notes which id here an old one has become. Rows that are noted already stay. */
export async function record(tx: Db, { importId }: Pick<ImportContext, 'importId'>, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  await insertRows(
    tx,
    'import_row',
    rows.map(({ kind, oldId, newId, topicId = null, number = null }) => ({
      import_id: importId,
      kind,
      old_id: oldId,
      new_id: newId,
      topic_id: topicId,
      number,
    })),
  )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function rowsOf(tx: Db, importId: string, oldIds: Iterable<string>) {
  return tx
    .selectFrom('import_row')
    .where('import_id', '=', importId)
    .where('old_id', '=', anyOf([...new Set(oldIds)]))
}

/** The ids here of old ids of one kind; those that did not come are missing. */
export async function newIds(
  tx: Db,
  { importId }: Pick<ImportContext, 'importId'>,
  kind: RowKind,
  oldIds: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await rowsOf(tx, importId, oldIds).select(['old_id', 'new_id']).where('kind', '=', kind).execute()
  return new Map(rows.map(({ old_id, new_id }) => [old_id, new_id]))
}

/** The members here of old ids, followed through later mergers. */
export async function memberIds(
  tx: Db,
  { importId }: Pick<ImportContext, 'importId'>,
  oldIds: Iterable<string>,
): Promise<Map<string, string>> {
  const rows = await rowsOf(tx, importId, oldIds)
    .select(['old_id', sql<string>`ledger.current_member(new_id::bigint)`.as('id')])
    .where('kind', '=', 'member')
    .execute()
  return new Map(rows.map(({ old_id, id }) => [old_id, id]))
}

export type PostPlace = { kind: 'topic' | 'comment' | 'reply'; id: string; topicId: string; oldId: string }

/** The posts here of old ids of posts. */
export async function postPlaces(
  tx: Db,
  { importId }: Pick<ImportContext, 'importId'>,
  oldIds: Iterable<string>,
): Promise<Map<string, PostPlace>> {
  const rows = await rowsOf(tx, importId, oldIds)
    .select(['kind', 'old_id', 'new_id', 'topic_id'])
    .where('kind', 'in', ['opening', 'comment', 'reply'])
    .execute()
  return new Map(
    rows.map(({ kind, old_id, new_id, topic_id }) => {
      const its = kind === 'opening' ? ('topic' as const) : (kind as 'comment' | 'reply')
      return [old_id, { kind: its, id: new_id, topicId: topic_id ?? new_id, oldId: old_id }]
    }),
  )
}

/** As many ids as are asked for, from the sequence of a table. */
export async function reserveIds(tx: Db, table: string, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: string }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::text as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Ids for rows of these old ids: the same ones where ids stay and nothing here has them, and others from the sequence of the table. */
export async function idsFor(tx: Db, context: ImportContext, table: KeptTable, oldIds: readonly string[]): Promise<string[]> {
  const highest = context.keepsIds ? (context.reader.same?.highestIds[table] ?? 0n) : 0n
  const wished = oldIds.map((oldId) => /^[a-z]?([1-9]\d{0,17})$/.exec(oldId)?.[1] ?? null)
  const kept = new Set(wished.flatMap((id) => (id !== null && BigInt(id) <= highest ? [id] : [])))
  if (kept.size > 0) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} where id = ${anyOf([...kept])}`.execute(tx)
    for (const { id } of rows) kept.delete(id)
  }
  const others = await reserveIds(tx, table, wished.filter((id) => id === null || !kept.has(id)).length)
  return wished.map((id) => (id !== null && kept.has(id) ? id : (others.shift() ?? '')))
}

/** Inserts rows with the ids that were reserved for them. */
export async function insertWithIds<Table extends keyof Tables>(
  tx: Db,
  table: Table,
  rows: readonly (Insertable<Tables[Table]> & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(
    Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)),
    sql`, `,
  )
  await sql`insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(tx)
}
