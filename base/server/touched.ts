import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from '#base/server/database.ts'

const channel = 'touched'
const largestPayload = 7_000
// Other processes hear of many writes in one message.
const togetherMs = 20
const everything = '*'

const touchedIn = new WeakMap<Db, Set<string>>()

/** Says, inside a transaction, that pages made of these are out of date once it commits. */
export function touch(tx: Db, ...tags: string[]): void {
  const touched = touchedIn.get(tx) ?? new Set()
  for (const tag of tags) touched.add(tag)
  touchedIn.set(tx, touched)
}

export function touchedBy(tx: Db): ReadonlySet<string> {
  return touchedIn.get(tx) ?? new Set()
}

type Listener = (tags: readonly string[] | typeof everything) => void

/** Carries what was touched to the caches of this process and, through the database, of every other. */
export class Touches {
  readonly #listeners = new Set<Listener>()
  readonly #self = randomUUID()
  readonly #address: string
  #client: pg.Client | null = null
  #waiting = new Set<string>()
  #sending: Promise<unknown> | undefined
  #closed = false

  constructor(address: string) {
    this.#address = address
  }

  on(listener: Listener): void {
    this.#listeners.add(listener)
  }

  announce(tags: ReadonlySet<string>): void {
    if (tags.size === 0) return
    this.#tell([...tags])
    const isFirst = this.#waiting.size === 0
    for (const tag of tags) this.#waiting.add(tag)
    if (isFirst) setTimeout(() => this.#send(), togetherMs).unref()
  }

  /** Listens to the other processes, for as long as the program runs. What was missed while the line was broken counts as everything. */
  async listen(onLost: (error: Error) => void): Promise<void> {
    const client = new pg.Client({ connectionString: this.#address, keepAlive: true })
    client.on('error', onLost)
    client.on('end', () => void this.#again(onLost))
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    await client.connect()
    await client.query(`listen ${channel}`)
    this.#client = client
  }

  /** Closes when the last word is out: the operator's tool ends right after its commit. */
  async close(): Promise<void> {
    this.#closed = true
    this.#send()
    await this.#sending
    await this.#client?.end()
  }

  #tell(tags: readonly string[] | typeof everything): void {
    for (const listener of this.#listeners) listener(tags)
  }

  #send(): void {
    if (this.#waiting.size === 0) return
    const tags = [...this.#waiting]
    this.#waiting.clear()
    const payload = JSON.stringify({ from: this.#self, tags })
    const short = payload.length < largestPayload ? payload : JSON.stringify({ from: this.#self, tags: everything })
    // A line that is broken is mended by #again, which makes the others drop everything.
    this.#sending = this.#client?.query('select pg_notify($1, $2)', [channel, short]).catch(() => undefined)
  }

  #hear(payload: string): void {
    const { from, tags } = JSON.parse(payload) as { from: string; tags: string[] | typeof everything }
    if (from !== this.#self) this.#tell(tags)
  }

  async #again(onLost: (error: Error) => void): Promise<void> {
    this.#client = null
    while (!this.#closed) {
      await wait(1_000)
      try {
        await this.listen(onLost)
        this.#tell(everything)
        return
      } catch (error) {
        if (error instanceof Error) onLost(error)
      }
    }
  }
}
