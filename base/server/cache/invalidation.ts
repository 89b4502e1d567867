import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Availability } from '#base/server/database/availability.ts'
import type { Db } from '#base/server/database/connection.ts'
import { NoResponse, withResponseTimeout } from '#base/server/database/response-timeout.ts'
import { SessionClient, WrongRole } from '#base/server/database/session-client.ts'

// The database keeps the old name: other processes may run an earlier version.
const channel = 'invalidation'
// One notification wakes the others for many writes. A process that misses it polls by itself.
const notifyDelayMs = 20
const pollIntervalMs = 500
const reconnectDelayMs = 250
const connectMs = 5_000
const maxCatchUpMs = 2_000
// Older rows are deleted; a process that has not polled for half as long clears everything.
const retentionMinutes = 5
const everything = '*'

/** The `application_name` of the listening connection in `pg_stat_activity`. */
export const listenerName = 'teahouse listens'

/**
 * Invalidated along with new content by a transaction that removes nothing from a page: older pages may serve while the database is
 * unavailable.
 */
export const onlyAddedTag = 'only added'

const invalidatedIn = new WeakMap<Db, Map<string, number>>()

/** Marks everything cached under these tags as stale once the transaction commits. */
export function invalidate(tx: Db, ...tags: string[]): void {
  const invalidated = invalidatedIn.get(tx) ?? new Map<string, number>()
  for (const tag of tags) invalidated.set(tag, (invalidated.get(tag) ?? 0) + 1)
  invalidatedIn.set(tx, invalidated)
}

export function invalidatedBy(tx: Db): ReadonlySet<string> {
  return new Set(invalidatedIn.get(tx)?.keys())
}

/** How often the transaction has invalidated a tag so far. */
export function timesInvalidated(tx: Db, tag: string): number {
  return invalidatedIn.get(tx)?.get(tag) ?? 0
}

/** The tags that a transaction invalidated; `*` after a gap in which some may have been missed. */
export type InvalidatedTags = readonly string[] | typeof everything

/** Whether a value with one of these tags is out of date. */
export function areInvalidated(invalidated: InvalidatedTags, ...tags: readonly string[]): boolean {
  return invalidated === everything || tags.some((tag) => invalidated.includes(tag))
}

/** The entries that a cache drops: with the tag `everything`, all of them. */
export function entriesToDrop(invalidated: InvalidatedTags): InvalidatedTags {
  return areInvalidated(invalidated, 'everything') ? everything : invalidated
}

type Listener = (tags: InvalidatedTags) => void

/**
 * Carries invalidations to the caches of this process and, through the database, to every other process. Each write records its
 * invalidations in its own transaction, and each process reads those committed since its last poll, so none is missed when a process dies.
 */
export class Invalidations {
  readonly #address: string
  readonly #reach: Availability
  readonly #self = randomUUID()
  readonly #listeners = new Set<Listener>()
  readonly #readers = new Set<Listener>()
  #client: SessionClient | null = null
  #following: Promise<void> | undefined
  #seen = { snapshot: '', at: 0 }
  #sweptAt = 0
  #wake: () => void = () => undefined
  #hearing: (() => void)[] = []
  #isWaking = false
  #closed = false

  constructor(address: string, reach = new Availability()) {
    this.#address = address
    this.#reach = reach
  }

  on(listener: Listener): void {
    this.#listeners.add(listener)
  }

  /** For a listener that reads: it is called once every cache has dropped what is stale, also those that are first used later. */
  onceDropped(listener: Listener): void {
    this.#readers.add(listener)
  }

  /** Records the invalidations in the transaction itself. */
  async record(tx: Db): Promise<void> {
    const tags = [...invalidatedBy(tx)]
    if (tags.length > 0) await sql`/* with the commit */ insert into invalidation (by, tags) values (${this.#self}, ${tags})`.execute(tx)
  }

  /** Notifies this process after the commit, and wakes the others. */
  announce(tags: ReadonlySet<string>): void {
    if (tags.size === 0) return
    this.#tell([...tags])
    if (this.#isWaking) return
    this.#isWaking = true
    setTimeout(() => void this.#wakeOthers(), notifyDelayMs).unref()
  }

  /** Listens to the other processes as long as the program runs. After a broken connection everything counts as invalidated. */
  async listen(onLost: (error: Error) => void): Promise<void> {
    await this.#connect()
    this.#following = this.#follow(onLost)
  }

  /** Whether the invalidations of other processes are known here up to now, or there are no other processes. */
  get isCaughtUp(): boolean {
    return !this.#following || Date.now() - this.#seen.at < 3 * pollIntervalMs
  }

  /**
   * Whether all invalidations committed before the call are applied: false after a short timeout. A process that does not listen has
   * none to apply.
   */
  async catchUp(): Promise<boolean> {
    if (!this.#following) return true
    const { promise, resolve } = Promise.withResolvers<true>()
    this.#hearing.push(() => resolve(true))
    this.#wake()
    return Promise.race([promise, wait(maxCatchUpMs, false, { ref: false })])
  }

  /** Looks at once whether the database is a primary still. */
  lookSoon(): void {
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#isWaking) await this.#wakeOthers()
    this.#wake()
    await this.#following
    await this.#client?.end()
  }

  #tell(tags: readonly string[] | typeof everything): void {
    for (const listener of [...this.#listeners, ...this.#readers]) listener(tags)
  }

  async #wakeOthers(): Promise<void> {
    this.#isWaking = false
    // A process that misses the notification polls in a moment.
    await this.#client?.query('select pg_notify($1, $2)', [channel, this.#self]).catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new SessionClient({
      connectionString: this.#address,
      application_name: listenerName,
      keepAlive: true,
      pipeline: true,
      connectionTimeoutMillis: connectMs,
    })
    client.on('error', () => this.#wake())
    client.on('notification', ({ payload }) => payload !== this.#self && this.#wake())
    await client.connect()
    await client.query(`listen ${channel}`)
    const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    this.#client = client
    this.#seen = { snapshot: rows[0]?.snapshot ?? '', at: Date.now() }
    this.#reach.markAvailable()
    this.#tell(everything)
  }

  async #follow(onLost: (error: Error) => void): Promise<void> {
    let isLost = false
    while (!this.#closed) {
      try {
        if (!this.#client) await this.#connect()
        isLost = false
        const woken = new Promise<void>((done) => (this.#wake = done))
        const waiters = this.#hearing.splice(0)
        await this.#look().catch((error: unknown) => {
          this.#hearing.push(...waiters)
          throw error
        })
        for (const resolve of waiters) resolve()
        await Promise.race([woken, wait(pollIntervalMs, undefined, { ref: false })])
      } catch (error) {
        if (!isLost && error instanceof Error) onLost(error)
        // At the first failure the connection alone may be broken.
        if (isLost || error instanceof NoResponse || error instanceof WrongRole) this.#reach.markUnavailable(error)
        if (isLost) await wait(reconnectDelayMs, undefined, { ref: false })
        isLost = true
        this.#hangUp()
      }
    }
  }

  /** Reads what others committed since the last poll, by snapshot: an uncommitted transaction is not visible yet. */
  async #look(): Promise<void> {
    const { snapshot, at } = this.#seen
    const since = [snapshot, this.#self]
    const { rows } = await withResponseTimeout(
      this.#client?.query<NewInvalidations>({ name: channel, text: newInvalidationsSql, values: since }),
    )
    const [found] = rows
    if (!found) return
    // A pooler may keep the session while the server behind it becomes a standby.
    if (found.isStandby) throw new WrongRole(this.#client?.place ?? '', true)
    this.#seen = { snapshot: found.snapshot, at: Date.now() }
    if (Date.now() - at > (retentionMinutes * 60_000) / 2) this.#tell(everything)
    else for (const tags of found.heard) this.#tell(tags)
    await this.#sweep()
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < 60_000) return
    this.#sweptAt = Date.now()
    await this.#client?.query(`delete from invalidation where at < now() - interval '${retentionMinutes} minutes'`)
  }

  // A silent connection would not answer a goodbye either.
  #hangUp(): void {
    const client = this.#client
    this.#client = null
    client?.connection.stream.destroy()
  }
}

type NewInvalidations = { snapshot: string; isStandby: boolean; heard: string[][] }

const newInvalidationsSql = `
  select pg_current_snapshot()::text as snapshot, pg_is_in_recovery() as "isStandby", coalesce((
    select json_agg(tags) from invalidation
    where (xid >= pg_snapshot_xmax($1::pg_snapshot) or xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))) and by <> $2
  ), '[]') as heard`
