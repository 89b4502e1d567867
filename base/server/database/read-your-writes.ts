import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database/database.ts'

/** How far the database's log had come when somebody wrote, as `pg_lsn` writes it. */
export type WritePosition = string

/** Who wrote something reads it back, whichever server they ask next: their browser keeps a mark, and shows it. */
export type ReadYourWrites = {
  /** Of what is written now. */
  position(): Promise<WritePosition>
  /** Hears what was invalidated up to then, so that nothing older is answered from what is kept. */
  catchUpTo(mark: WritePosition): Promise<void>
  /** Where to read what is not kept: the primary, while a replica has not come so far. Null where any will do. */
  readerFor(mark: WritePosition): Promise<Db | null>
}

const knownForMs = 50

/** What servers need who share a database. */
export function readYourWrites(database: Database): ReadYourWrites {
  const { app, primaryReader, invalidations } = database
  const hasReplica = database.replicaAnswers() !== null
  let heardTo = 0n
  let replayed = { at: Number.NEGATIVE_INFINITY, to: 0n, asking: Promise.resolve(0n) }

  async function mark(): Promise<WritePosition> {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(app)
    return rows[0]?.at ?? '0/0'
  }

  // What a browser shows may be made up. Whoever had a lesser mark than this had it before, and what they wrote is heard.
  async function hear(its: WritePosition): Promise<void> {
    if (placeOf(its) < heardTo) return
    const before = placeOf(await mark())
    await invalidations.hear()
    if (before > heardTo) heardTo = before
  }

  // One that does not answer, or that is no replica any more, has nothing of what was written.
  async function askReplica(): Promise<bigint> {
    const { rows } = await sql<{ at: string | null }>`select pg_last_wal_replay_lsn()::text as at`.execute(database.reader)
    const to = placeOf(rows[0]?.at ?? '0/0')
    replayed.to = to
    return to
  }

  async function readerFor(its: WritePosition): Promise<Db | null> {
    const place = placeOf(its)
    if (!hasReplica || place <= replayed.to) return null
    const at = performance.now()
    if (at - replayed.at > knownForMs) replayed = { ...replayed, at, asking: askReplica().catch(() => 0n) }
    return (await replayed.asking) >= place ? null : primaryReader
  }

  return { position: mark, catchUpTo: hear, readerFor }
}

/** Whether a browser may have got it from us. */
export function isWritePosition(text: string | undefined): text is WritePosition {
  return text !== undefined && /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(text)
}

function placeOf(mark: WritePosition): bigint {
  const [high = '0', low = '0'] = mark.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
