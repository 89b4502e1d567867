import { BusyAfterEffects, TooBusy } from '#base/server/call-deadline.ts'

// Errors that arrive before anything is done, or end a transaction that a standby refuses.
const nothingDoneCodes = new Set(['25006', '40001', '40P01', '53300', '55000', '57P03', 'ECONNREFUSED', 'ENOENT'])
// The connection broke, perhaps after the commit.
const connectionLostCodes = new Set(['57P01', '57P02', '57P04', '57P05', '08003', '08006', 'ECONNRESET', 'EPIPE'])
// Failing connections, resources and disks, a standby that takes no writes, timeouts, and networks.
const transientCodes = /^(08|53|58)|^(25006|57014)$|^E(HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN)$/
const readOnly = '25006'
const tooManyConnections = '53300'
const statementTimeout = '57014'

/** True when the work can be retried because nothing was done; a broken connection counts if doing it twice is harmless. */
export function isRetryable(error: unknown, { harmless }: { harmless: boolean }): boolean {
  const code = codeOf(error)
  return nothingDoneCodes.has(code) || (harmless && connectionLostCodes.has(code))
}

/** True when the database is unavailable or overloaded, and the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    error instanceof TooBusy ||
    (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)) ||
    nothingDoneCodes.has(code) ||
    connectionLostCodes.has(code) ||
    transientCodes.test(code) ||
    (error instanceof Error &&
      /Query read timeout|Connection terminated|connection error and is not queryable|^timeout expired$/.test(error.message))
  )
}

/** True when the database is there, but had no connection or not enough time for this. One that hangs is found out by `Invalidations`. */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof TooBusy || error instanceof BusyAfterEffects || [tooManyConnections, statementTimeout].includes(codeOf(error)))
    return true
  return error instanceof Error && error.message === 'Query read timeout'
}

/** True when a session that cannot write was asked to. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnly
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  // A missing file is no failure of the database, whose socket is a file too.
  const isOfFile = error.code === 'ENOENT' && !('syscall' in error && error.syscall === 'connect')
  return isOfFile ? '' : String(error.code)
}

type OpenConnection = { destroy(): void }

/** `standby` if PostgreSQL answers, but no primary is among its hosts. */
export type DatabaseState = 'up' | 'standby' | 'away'

/** Whether the database answers, as far as this process knows. While it does not, calls fail at once instead of waiting. */
export class Availability {
  readonly #open = new Set<OpenConnection>()
  readonly #waiting = new Set<(why: Error) => void>()
  readonly #onState: (state: DatabaseState, why: Error | null) => void
  #why: Error | null = null
  #state: DatabaseState = 'up'

  /** Hears of each change of the state. */
  constructor(onState: (state: DatabaseState, why: Error | null) => void = () => undefined) {
    this.#onState = onState
  }

  get state(): DatabaseState {
    return this.#state
  }

  /** Destroys open connections too: their statements would wait longer than any request. */
  markUnavailable(error: unknown): void {
    if (!isUnavailable(error) || isOverloaded(error)) return
    // To waiting callers nothing was done, as when a connection is refused.
    this.#why = Object.assign(new Error('The database does not answer', { cause: error }), { code: 'ECONNREFUSED' })
    for (const refuse of this.#waiting) refuse(this.#why)
    this.#waiting.clear()
    for (const connection of this.#open) connection.destroy()
    this.#change(isReadOnly(error) ? 'standby' : 'away', error)
  }

  markAvailable(): void {
    this.#why = null
    this.#change('up', null)
  }

  #change(state: DatabaseState, why: unknown): void {
    const isChange = state !== this.#state
    this.#state = state
    if (isChange) this.#onState(state, why instanceof Error ? why : null)
  }

  register(connection: OpenConnection): void {
    this.#open.add(connection)
  }

  unregister(connection: OpenConnection): void {
    this.#open.delete(connection)
  }

  /** The result of `come`, unless the database is lost or the time is up before; then a late result goes to `late`. */
  async wait<T>(come: () => Promise<T>, { limitMs, late }: { limitMs: number; late: (it: T) => void }): Promise<T> {
    if (this.#why) throw this.#why
    const coming = come()
    const { promise: lost, reject: refuse } = Promise.withResolvers<never>()
    this.#waiting.add(refuse)
    const timer = setTimeout(() => refuse(new TooBusy('All connections were in use')), limitMs)
    try {
      return await Promise.race([coming, lost])
    } catch (error) {
      void coming.then(late, () => undefined)
      throw error
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(refuse)
    }
  }
}
