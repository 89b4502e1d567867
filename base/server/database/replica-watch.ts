import { setTimeout as wait } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/connection.ts'
import { ReplicaLag } from '#base/server/database/replica-lag.ts'

const pollIntervalMs = 1_000
const responseTimeoutMs = 1_000
const renewIntervalMs = 10_000

/** Reads leave a replica that is further behind than the first, and return to it below the second, so that they do not flutter. */
const [maxLagSeconds, caughtUpSeconds] = [5, 1]

/** Reads go to the primary unless it is `up`. The lag is null while it is unknown. */
export type ReplicaState = { state: 'up' | 'behind' | 'away'; lagSeconds: number | null }

type Options = {
  replica: Db
  primary: Db
  /** Hears of each change between `up`, `behind` and `away`. */
  onChange?: ((state: ReplicaState) => void) | undefined
  /** Hears now and then that the replica is a primary: another of its hosts may be the standby. */
  onPrimary?: (() => void) | undefined
}

/** Polls whether a replica answers, and how far it is behind the primary. */
export class ReplicaWatch {
  readonly #onChange: Options['onChange']
  readonly #onPrimary: Options['onPrimary']
  readonly #primaryPosition: () => Promise<string | null>
  readonly #replicaPosition: () => Promise<string | null>
  readonly #lag = new ReplicaLag()
  readonly #stopped = new AbortController()
  #renewedAt = performance.now()
  #now: ReplicaState = { state: 'up', lagSeconds: null }

  constructor({ replica, primary, onChange, onPrimary }: Options) {
    this.#onChange = onChange
    this.#onPrimary = onPrimary
    // Only what is flushed is sent to a replica.
    this.#primaryPosition = poller(() => positionOf(primary, sql`select pg_current_wal_flush_lsn()::text as at`))
    this.#replicaPosition = poller(() => this.#askReplica(replica))
    void this.#watch()
  }

  get state(): ReplicaState {
    return this.#now
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #watch(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const [primaryAt, replicaAt] = await Promise.all([this.#primaryPosition(), this.#replicaPosition()])
      // Of a primary that is away nothing new is known, and the replica is as far behind as it was.
      if (primaryAt !== null) this.#lag.primaryAt(primaryAt, performance.now())
      if (replicaAt !== null) this.#lag.replicaAt(replicaAt)
      this.#change(replicaAt === null ? { state: 'away', lagSeconds: null } : this.#judge(this.#lag.seconds(performance.now())))
      await wait(pollIntervalMs, undefined, { ref: false })
    }
  }

  // A replica that was promoted is behind nothing.
  async #askReplica(replica: Db): Promise<string | null> {
    const { rows } = await replicaQuery.execute(replica)
    const [{ at, isStandby } = { at: null, isStandby: true }] = rows
    if (!isStandby && performance.now() - this.#renewedAt > renewIntervalMs) {
      this.#renewedAt = performance.now()
      this.#onPrimary?.()
    }
    return at
  }

  #judge(lagSeconds: number): ReplicaState {
    const allowed = this.#now.state === 'up' ? maxLagSeconds : caughtUpSeconds
    return { state: lagSeconds > allowed ? 'behind' : 'up', lagSeconds }
  }

  #change(next: ReplicaState): void {
    const isChange = next.state !== this.#now.state
    this.#now = next
    if (isChange && !this.#stopped.signal.aborted) this.#onChange?.(next)
  }
}

/** A function that asks, but not again while an answer is outstanding. Null for a failure, and without an answer in time. */
function poller(ask: () => Promise<string | null>): () => Promise<string | null> {
  let asking: Promise<string | null> | null = null
  return () => {
    asking ??= ask()
      .catch(() => null)
      .finally(() => (asking = null))
    return Promise.race([asking, wait(responseTimeoutMs, null, { ref: false })])
  }
}

const replicaQuery = sql<{ at: string | null; isStandby: boolean }>`select pg_is_in_recovery() as "isStandby",
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text as at`

async function positionOf(db: Db, query: RawBuilder<{ at: string | null }>): Promise<string | null> {
  const { rows } = await query.execute(db)
  return rows[0]?.at ?? null
}
