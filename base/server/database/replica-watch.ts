import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#base/server/database/connection.ts'

const pollIntervalMs = 1_000
const responseTimeoutMs = 1_000

/** Polls whether a replica answers. While it does not, reads go to the primary. */
export class ReplicaWatch {
  readonly #replica: Db
  readonly #stopped = new AbortController()
  #answers = true

  constructor(replica: Db) {
    this.#replica = replica
    void this.#watch()
  }

  get answers(): boolean {
    return this.#answers
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #watch(): Promise<void> {
    let asking: Promise<boolean> | null = null
    while (!this.#stopped.signal.aborted) {
      // A hanging replica is not queried again before it answers.
      asking ??= this.#ask().finally(() => (asking = null))
      this.#answers = await Promise.race([asking, wait(responseTimeoutMs, false, { ref: false })])
      await wait(pollIntervalMs, undefined, { ref: false })
    }
  }

  #ask(): Promise<boolean> {
    return sql`select`.execute(this.#replica).then(
      () => true,
      () => false,
    )
  }
}
