import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database.ts'

/** How far a database's log had come, as `pg_lsn` writes it. */
export type Mark = string

/** Who wrote something reads it back: what they read comes from the primary until the replica has come as far as their last write. */
export type Replica = {
  /** How far the primary is now. */
  mark(): Promise<Mark>
  /** Where to read for somebody whose last write was by then. Null where the replica has it: their mark is of no use any more. */
  primaryFor(mark: Mark): Promise<Db | null>
}

const knownForMs = 50

/** Null where there is no replica. */
export function replicaOf({ app, reader, primaryReader }: Database): Replica | null {
  if (reader === primaryReader) return null
  let known: { at: number; position: Promise<bigint> } = { at: Number.NEGATIVE_INFINITY, position: Promise.resolve(0n) }

  async function mark(): Promise<Mark> {
    const { rows } = await sql<{ mark: Mark }>`select pg_current_wal_insert_lsn()::text as mark`.execute(app)
    return rows[0]?.mark ?? ''
  }

  // One that does not answer, or that is no replica any more, has nothing of what was written.
  async function position(): Promise<bigint> {
    const { rows } = await sql<{ mark: Mark | null }>`select pg_last_wal_replay_lsn()::text as mark`.execute(reader)
    return positionOf(rows[0]?.mark ?? '')
  }

  async function primaryFor(wanted: Mark): Promise<Db | null> {
    const now = performance.now()
    if (now - known.at > knownForMs) known = { at: now, position: position().catch(() => 0n) }
    return (await known.position) >= positionOf(wanted) ? null : primaryReader
  }

  return { mark, primaryFor }
}

/** Whether somebody may have got it from us. */
export function isMark(text: string | undefined): text is Mark {
  return text !== undefined && /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(text)
}

function positionOf(mark: Mark): bigint {
  const [high = '', low = ''] = mark.split('/')
  return isMark(mark) ? (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) : 0n
}
