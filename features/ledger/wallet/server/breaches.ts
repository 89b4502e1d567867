import { sql, type RawBuilder } from 'kysely'
import type { Database, Db } from '#base/server/database/database.ts'
import { hasSealingKey, keyedHash } from '#base/server/security/sealing.ts'
import { movedBy, pieceAfter, rowsOf, tables, type Among, type CheckedTable, type Piece } from '#wallet/server/pieces.ts'

/** A rule of the ledger: a query of the rows of its table that break it. */
export type Check = {
  name: string
  over: CheckedTable
  /** Its cost grows with the history of an account, so it runs in full rounds only. */
  isFullOnly?: true
  /**
   * Says for which use of the forum's key `seal` must be the hash of `content`: the rows are then those that may break the rule. A program
   * without the key skips it.
   */
  sealedFor?: string
  breaches(among: Among): RawBuilder<{ what: string; content?: string; seal?: Buffer | null }>
}

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Rules of the books; all of them are checked each minute for what is new, and in rounds for everything. */
    readonly bookChecks?: readonly Check[]
  }
}

export type Breach = { check: string; what: string }

const maxPerCheck = 20

/**
 * All breaches: of the whole ledger, or of the transactions since a time. Reads the primary without a statement timeout, saves no progress
 * and freezes nothing.
 */
export async function breachesIn(
  { longRunning: { primaryReader: db } }: Pick<Database, 'longRunning'>,
  checks: readonly Check[],
  since: Date | null,
): Promise<Breach[]> {
  const found: Breach[] = []
  for (const table of since ? [] : tables)
    for await (const piece of piecesAfter(db, table, '0')) found.push(...(await breachesInPiece(db, checks, piece)))
  const before = since ? await lastBefore(db, since) : afterAll
  for await (const piece of piecesAfter(db, 'ledger.transaction', before)) found.push(...(await breachesInNew(db, checks, piece)))
  return found
}

const afterAll = '9000000000000000000'

async function lastBefore(db: Db, since: Date): Promise<string> {
  const { rows } = await sql<{ before: string }>`
    select coalesce(min(id) - 1, ${afterAll}::bigint) as before from ledger.transaction where at >= ${since}`.execute(db)
  return rows[0]?.before ?? '0'
}

async function* piecesAfter(db: Db, table: CheckedTable, id: string): AsyncGenerator<Piece> {
  for (let piece = await pieceAfter(db, table, id); piece; piece = await pieceAfter(db, table, piece.last)) yield piece
}

/** The breaches in a piece of a full round. */
export async function breachesInPiece(db: Db, checks: readonly Check[], piece: Piece): Promise<Breach[]> {
  for (const table of tables) if (table === piece.table) return breachesOver(db, checks, table, rowsOf(piece))
  return []
}

/** The breaches of these tables in the rows that new transactions moved. */
export async function breachesInNew(
  db: Db,
  checks: readonly Check[],
  piece: Piece,
  over: readonly CheckedTable[] = [...transactionTables, ...memberTables],
): Promise<Breach[]> {
  const found: Breach[] = []
  for (const table of over) found.push(...(await breachesOver(db, frequentChecks(checks), table, movedBy(piece, table))))
  return found
}

/**
 * Tables that transactions write themselves, from which the sums are made, and those of the moved accounts and members, which the sums
 * verify.
 */
export const transactionTables: readonly CheckedTable[] = [
  'ledger.transaction',
  'ledger.hold',
  'hidden.unlock',
  'membership_order',
  'payment_event',
  'payment_order',
  'payment_refund',
  'payment_dispute',
  'payment_statement',
]
export const memberTables: readonly CheckedTable[] = ['ledger.account', 'member']

export function frequentChecks(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ isFullOnly }) => !isFullOnly)
}

// A generic plan, or one made while a table was small, would scan the table for each row of a piece.
const forceIndexScans = sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`

export async function breachesOver(db: Db, checks: readonly Check[], table: CheckedTable, rows: Among): Promise<Breach[]> {
  const found: Breach[] = []
  const matching = checks.filter(({ over }) => over === table)
  if (matching.length === 0) return found
  await db.transaction().execute(async (tx) => {
    for (const check of matching) found.push(...(await runCheck(tx, check, rows)))
  })
  return found
}

async function runCheck(tx: Db, { name, over, sealedFor, breaches }: Check, among: Among): Promise<Breach[]> {
  if (over !== 'database') await forceIndexScans.execute(tx)
  if (sealedFor !== undefined && !hasSealingKey()) return []
  const most = sealedFor === undefined ? sql`limit ${maxPerCheck}` : sql``
  const { rows } = await sql<Suspect>`
    select its.what::text, to_jsonb(its) ->> 'content' as content, to_jsonb(its) ->> 'seal' as seal from (${breaches(among)}) as its ${most}`.execute(
    tx,
  )
  const broken = sealedFor === undefined ? rows : rows.filter((row) => !isSealed(sealedFor, row)).slice(0, maxPerCheck)
  return broken.map(({ what }) => ({ check: name, what }))
}

type Suspect = { what: string; content: string | null; /** As PostgreSQL prints bytes. */ seal: string | null }

function isSealed(purpose: string, { content, seal }: Suspect): boolean {
  return content !== null && seal === `\\x${keyedHash(purpose, content).toString('hex')}`
}
