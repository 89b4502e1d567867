import { sql } from 'kysely'
import type { Database, Db } from '#base/server/database/database.ts'
import { toNumber, type WritePosition } from '#base/server/database/write-position.ts'

/** Read-your-writes across servers: the browser keeps the position of its last write in a cookie and sends it along. */
export type ReadYourWrites = {
  /** The current position. */
  position(): Promise<WritePosition>
  /** Applies the invalidations up to the position, so that nothing older is answered from a cache. */
  catchUpTo(currentPosition: WritePosition): Promise<void>
  /** The database for reads that are not cached: the primary while the replica is behind the position, else null. */
  readerFor(currentPosition: WritePosition): Promise<Db | null>
}

const replicaPositionTtlMs = 50

/** Read-your-writes for servers that share a database. */
export function readYourWrites(database: Database): ReadYourWrites {
  const { app, primaryReader, invalidations } = database
  const hasReplica = database.replica() !== null
  let caughtUpTo = 0n
  let replayed = { at: Number.NEGATIVE_INFINITY, to: 0n, asking: Promise.resolve(0n) }

  async function currentPosition(): Promise<WritePosition> {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn()::text as at`.execute(app)
    return rows[0]?.at ?? '0/0'
  }

  // A position from a browser may be forged, so only our own is stored. Any position below it was written earlier, and its invalidations
  // are applied.
  async function catchUpTo(position: WritePosition): Promise<void> {
    if (toNumber(position) < caughtUpTo) return
    const before = toNumber(await currentPosition())
    const isCaughtUp = await invalidations.catchUp()
    if (isCaughtUp && before > caughtUpTo) caughtUpTo = before
  }

  // A replica that does not answer, or was promoted, has replayed nothing.
  async function readReplicaPosition(): Promise<bigint> {
    const { rows } = await sql<{ at: string | null }>`select pg_last_wal_replay_lsn()::text as at`.execute(database.reader)
    const to = toNumber(rows[0]?.at ?? '0/0')
    replayed.to = to
    return to
  }

  async function readerFor(position: WritePosition): Promise<Db | null> {
    const place = toNumber(position)
    if (!hasReplica || place <= replayed.to) return null
    const at = performance.now()
    if (at - replayed.at > replicaPositionTtlMs) replayed = { ...replayed, at, asking: readReplicaPosition().catch(() => 0n) }
    return (await replayed.asking) >= place ? null : primaryReader
  }

  return { position: currentPosition, catchUpTo, readerFor }
}
