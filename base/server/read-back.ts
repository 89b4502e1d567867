import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database.ts'

/** How far the database's log had come when somebody wrote, as `pg_lsn` writes it, and when that was, in seconds. */
export type Mark = string

/** Who wrote something reads it back, whichever server they ask next: their browser keeps a mark, and shows it. */
export type ReadBack = {
  /** Of what is written now. */
  mark(): Promise<Mark>
  /** Hears what was invalidated up to then, so that nothing older is answered from what is kept. */
  hear(mark: Mark): Promise<void>
  /** Where to read what is not kept: the primary, while a replica has not come so far. Null where any will do. */
  readerFor(mark: Mark): Promise<Db | null>
  /** Whether all servers and the replica have it by now, so that nobody needs the mark any more. */
  isOver(mark: Mark): Promise<boolean>
}

const knownForMs = 50
/** Every server looks for what was invalidated much more often. */
const heardAfterSeconds = 10

/** What servers need who share a database. */
export function readBackOf(database: Database): ReadBack {
  const { app, reader, primaryReader, invalidations } = database
  const hasReplica = reader !== primaryReader
  let heardTo = 0n
  let replayed = { at: Number.NEGATIVE_INFINITY, to: 0n, asking: Promise.resolve(0n) }

  async function now(): Promise<string> {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(app)
    return rows[0]?.at ?? '0/0'
  }

  async function mark(): Promise<Mark> {
    return `${await now()}-${Math.floor(Date.now() / 1000)}`
  }

  // What a browser shows may be made up. Whoever had a lesser mark than this had it before, and what they wrote is heard.
  async function hear(mark: Mark): Promise<void> {
    if (read(mark).place < heardTo) return
    const before = placeOf(await now())
    await invalidations.hear()
    if (before > heardTo) heardTo = before
  }

  // One that does not answer, or that is no replica any more, has nothing of what was written.
  async function askReplica(): Promise<bigint> {
    const { rows } = await sql<{ at: string | null }>`select pg_last_wal_replay_lsn()::text as at`.execute(reader)
    const to = placeOf(rows[0]?.at ?? '0/0')
    replayed.to = to
    return to
  }

  async function readerFor(mark: Mark): Promise<Db | null> {
    const { place } = read(mark)
    if (!hasReplica || place <= replayed.to) return null
    const at = performance.now()
    if (at - replayed.at > knownForMs) replayed = { ...replayed, at, asking: askReplica().catch(() => 0n) }
    return (await replayed.asking) >= place ? null : primaryReader
  }

  async function isOver(mark: Mark): Promise<boolean> {
    return Date.now() / 1000 - read(mark).seconds > heardAfterSeconds && (await readerFor(mark)) === null
  }

  return { mark, hear, readerFor, isOver }
}

/** Whether a browser may have got it from us. */
export function isMark(text: string | undefined): text is Mark {
  return text !== undefined && /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}-\d{1,12}$/.test(text)
}

function read(mark: Mark): { place: bigint; seconds: number } {
  const [place = '', seconds = ''] = mark.split('-')
  return { place: placeOf(place), seconds: Number(seconds) }
}

function placeOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
