import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { limitStatements } from '#base/server/database/statement-limit.ts'

const intervalMs = 5_000
// A commit takes milliseconds; a slow disk under a checkpoint, a second or two.
const lateMs = 5_000
const connectTimeoutMs = 5_000
const stopTimeoutMs = 1_000
// Disks fill slowly.
const triesPerDiskTry = 12

export const commitStates = ['up', 'waiting', 'refused', 'unknown'] as const

export type CommitState = {
  /** `unknown` before the first attempt, and while the database does not answer. */
  state: (typeof commitStates)[number]
  /**
   * What commits wait for: PostgreSQL's name of the wait, such as `SyncRep`, or `Lock` if only transactions behind a lock wait. What refuses
   * them: `read-only` or `disk`. Null if it is not known.
   */
  waitsFor: string | null
}

/** Whether no transaction can be committed, and why is known. Behind a lock, only those that need it wait. */
export function isBlocked({ waitsFor }: CommitState): boolean {
  return waitsFor !== null && waitsFor !== 'Lock'
}

const marker = '/* teahouse tries a commit */'

/**
 * A message in the log of changes leaves no row behind, and its commit is flushed and waits for synchronous standbys as that of any write.
 * Behind a lock are transactions of ours whose statement has waited five seconds; advisory locks are the program's own queues.
 */
const trySql = `${marker}
  select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    case when current_setting('transaction_read_only') = 'off' then pg_logical_emit_message(true, 'teahouse', '') end as message,
    exists (select from pg_stat_activity where usename = current_user and datname = current_database()
      and wait_event_type = 'Lock' and wait_event <> 'advisory' and query_start < clock_timestamp() - interval '${lateMs} ms') as "hasLockWait"`

// Some hundred kilobytes that do not fit into so little memory go to a temporary file, beside the tables unless configured otherwise.
const tryDiskSql = `begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 20000); commit`

/** Names the wait of a commit tried by any process of ours: all of them wait for the same. */
const waitSql = `
  select wait_event as event from pg_stat_activity
  where usename = current_user and datname = current_database() and query like '${marker}%' and state = 'active' and pid <> pg_backend_pid()
    and wait_event_type <> 'Client'
  order by query_start limit 1`

type Tried = { isReadOnly: boolean; hasLockWait: boolean }

/** Tries a commit every few seconds, on a connection of its own: those of the pools may all wait for the very same. */
export class CommitWatch {
  readonly #address: string
  readonly #stopped = new AbortController()
  #now: CommitState = { state: 'unknown', waitsFor: null }
  #since = Date.now()
  #client: pg.Client | null = null
  #watching: Promise<void> | undefined
  #tries = 0

  constructor(address: string) {
    this.#address = limitStatements(address, null)
  }

  get state(): CommitState {
    return this.#now
  }

  /** For how long the state has been the same. */
  get seconds(): number {
    return Math.round((Date.now() - this.#since) / 1000)
  }

  /** Starts once. `onChange` hears of each change. */
  start(onChange: (state: CommitState) => void): void {
    this.#watching ??= this.#watch(onChange)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#hangUp()
    await Promise.race([this.#watching, wait(stopTimeoutMs, undefined, { ref: false })])
  }

  async #watch(onChange: (state: CommitState) => void): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      const trying = this.#try()
      let found: CommitState | null = null
      while (!found && !signal.aborted) {
        found = await Promise.race([trying, wait(lateMs, null, { ref: false, signal }).catch(() => null)])
        if (!signal.aborted) this.#change(found ?? { state: 'waiting', waitsFor: await this.#waitEvent() }, onChange)
      }
      await wait(intervalMs, undefined, { ref: false, signal }).catch(() => undefined)
    }
  }

  #change(next: CommitState, onChange: (state: CommitState) => void): void {
    const before = this.#now
    if (next.state === before.state && next.waitsFor === before.waitsFor) return
    this.#now = next
    this.#since = Date.now()
    onChange(next)
  }

  async #try(): Promise<CommitState> {
    try {
      this.#client ??= await this.#connect()
      const { rows } = await this.#client.query<Tried>(trySql)
      if (rows[0]?.isReadOnly) return { state: 'refused', waitsFor: 'read-only' }
      if (this.#tries++ % triesPerDiskTry === 0 || this.#now.waitsFor === 'disk') await this.#client.query(tryDiskSql)
      return rows[0]?.hasLockWait ? { state: 'waiting', waitsFor: 'Lock' } : { state: 'up', waitsFor: null }
    } catch (error) {
      this.#hangUp()
      return stateOf(error)
    }
  }

  async #waitEvent(): Promise<string | null> {
    const client = await this.#connect().catch(() => null)
    if (!client) return null
    try {
      const { rows } = await client.query<{ event: string | null }>(waitSql)
      return rows[0]?.event ?? null
    } catch {
      return null
    } finally {
      client.connection.stream.destroy()
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#address,
      application_name: 'teahouse tries commits',
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client.on('error', () => undefined)
    await client.connect()
    if (!this.#stopped.signal.aborted) return client
    client.connection.stream.destroy()
    throw new Error('The watch has stopped')
  }

  // A commit that waits would not answer a goodbye either.
  #hangUp(): void {
    const client = this.#client
    this.#client = null
    client?.connection.stream.destroy()
  }
}

const refusals: Record<string, string> = { '53100': 'disk', '25006': 'read-only' }

/** What an error says about commits. */
export function stateOf(error: unknown): CommitState {
  const waitsFor = error instanceof pg.DatabaseError ? (refusals[error.code ?? ''] ?? null) : null
  return waitsFor ? { state: 'refused', waitsFor } : { state: 'unknown', waitsFor }
}
