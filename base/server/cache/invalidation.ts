import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { Availability } from '#base/server/database/availability.ts'
import type { Db } from '#base/server/database/connection.ts'

// The names in the database: other processes may run an earlier version.
const channel = 'touched'
// The others are woken once for many writes. Who is not woken looks by itself.
const togetherMs = 20
const betweenLooksMs = 500
const betweenTriesMs = 250
const connectMs = 5_000
const longestHearingMs = 2_000
// What is older is swept away; whoever has not looked for half as long knows nothing.
const keptMinutes = 5
const everything = '*'

/** What operators see of the line in `pg_stat_activity`. */
export const listenerName = 'teahouse listens'

/** Invalidated beside what is new by a transaction that takes nothing off a page, so that older pages may serve while none can be made. */
export const onlyAdded = 'only added'

const invalidatedIn = new WeakMap<Db, Map<string, number>>()

/** Inside a transaction: once it commits, whatever is cached under these tags is out of date. */
export function invalidate(tx: Db, ...tags: string[]): void {
  const invalidated = invalidatedIn.get(tx) ?? new Map<string, number>()
  for (const tag of tags) invalidated.set(tag, (invalidated.get(tag) ?? 0) + 1)
  invalidatedIn.set(tx, invalidated)
}

export function invalidatedBy(tx: Db): ReadonlySet<string> {
  return new Set(invalidatedIn.get(tx)?.keys())
}

/** How often a transaction invalidated a tag so far. */
export function timesInvalidated(tx: Db, tag: string): number {
  return invalidatedIn.get(tx)?.get(tag) ?? 0
}

type Listener = (tags: readonly string[] | typeof everything) => void

/**
 * Carries what was invalidated to the caches of this process and, through the database, of every other. Each write puts down in its own
 * transaction what it invalidates, and each process reads what was committed since it last looked: nothing is missed when one dies.
 */
export class Invalidations {
  readonly #address: string
  readonly #reach: Availability
  readonly #self = randomUUID()
  readonly #listeners = new Set<Listener>()
  #client: pg.Client | null = null
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

  /** Writes down in the transaction itself what it invalidates. */
  async record(tx: Db): Promise<void> {
    const tags = [...invalidatedBy(tx)]
    if (tags.length > 0) await sql`/* with the commit */ insert into touched (by, tags) values (${this.#self}, ${tags})`.execute(tx)
  }

  /** Tells this process, after the commit, and wakes the others. */
  announce(tags: ReadonlySet<string>): void {
    if (tags.size === 0) return
    this.#tell([...tags])
    if (this.#isWaking) return
    this.#isWaking = true
    setTimeout(() => void this.#wakeOthers(), togetherMs).unref()
  }

  /** Listens to the other processes, for as long as the program runs. What could be missed while the line is broken counts as everything. */
  async listen(onLost: (error: Error) => void): Promise<void> {
    await this.#connect()
    this.#following = this.#follow(onLost)
  }

  /** Whether what other processes invalidated is known here by now, or there are none. */
  get isHearing(): boolean {
    return !this.#following || Date.now() - this.#seen.at < 3 * betweenLooksMs
  }

  /** Answers once all is heard that was committed before. Who does not listen, or not now, has heard nothing, and does not wait for long. */
  async hear(): Promise<void> {
    if (!this.#following) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#hearing.push(resolve)
    this.#wake()
    await Promise.race([promise, wait(longestHearingMs, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#isWaking) await this.#wakeOthers()
    this.#wake()
    await this.#following
    await this.#client?.end()
  }

  #tell(tags: readonly string[] | typeof everything): void {
    for (const listener of this.#listeners) listener(tags)
  }

  async #wakeOthers(): Promise<void> {
    this.#isWaking = false
    // Who does not hear this looks in a moment.
    await this.#client?.query('select pg_notify($1, $2)', [channel, this.#self]).catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
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
    this.#reach.back()
    this.#tell(everything)
  }

  async #follow(onLost: (error: Error) => void): Promise<void> {
    let isLost = false
    while (!this.#closed) {
      try {
        if (!this.#client) await this.#connect()
        isLost = false
        const woken = new Promise<void>((done) => (this.#wake = done))
        const hearing = this.#hearing.splice(0)
        await this.#look().catch((error: unknown) => {
          this.#hearing.push(...hearing)
          throw error
        })
        for (const heard of hearing) heard()
        await Promise.race([woken, wait(betweenLooksMs, undefined, { ref: false })])
      } catch (error) {
        if (!isLost && error instanceof Error) onLost(error)
        // The first time the line alone may be broken.
        if (isLost || error instanceof Silent) this.#reach.lost(error)
        if (isLost) await wait(betweenTriesMs, undefined, { ref: false })
        isLost = true
        this.#hangUp()
      }
    }
  }

  /** Reads what others committed since the last look; that alone, for a transaction is not seen before it is committed. */
  async #look(): Promise<void> {
    const { snapshot, at } = this.#seen
    const since = [snapshot, this.#self]
    const { rows } = await answerOf(this.#client?.query<HeardInvalidations>({ name: channel, text: whatIsNew, values: since }))
    const [found] = rows
    if (!found) return
    this.#seen = { snapshot: found.snapshot, at: Date.now() }
    if (Date.now() - at > (keptMinutes * 60_000) / 2) this.#tell(everything)
    else for (const tags of found.heard) this.#tell(tags)
    await this.#sweep()
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < 60_000) return
    this.#sweptAt = Date.now()
    await this.#client?.query(`delete from touched where at < now() - interval '${keptMinutes} minutes'`)
  }

  // What does not answer would not say good-bye either.
  #hangUp(): void {
    const client = this.#client
    this.#client = null
    client?.connection.stream.destroy()
  }
}

type HeardInvalidations = { snapshot: string; heard: string[][] }

const whatIsNew = `
  select pg_current_snapshot()::text as snapshot, coalesce((
    select json_agg(tags) from touched
    where (xid >= pg_snapshot_xmax($1::pg_snapshot) or xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))) and by <> $2
  ), '[]') as heard`

class Silent extends Error {}

const turnMs = 100
const mostTurns = 10

/** Waits for an answer, but not for long: in turns of the program's own loop, so that a busy program does not take the database for silent. */
async function answerOf<T>(answer: Promise<T> | undefined): Promise<T> {
  if (!answer) throw new Silent('There is no line')
  for (let turns = 0; turns < mostTurns; turns++) {
    const found = await Promise.race([answer.then((it) => ({ it })), wait(turnMs, null, { ref: false })])
    if (found) return found.it
  }
  throw new Silent('Connection terminated: no answer came')
}
