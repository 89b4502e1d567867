import { callbackify } from 'node:util'
import pg from 'pg'
import { nameOf, type Place } from '#base/server/database/address.ts'
import { hostsOf, type Hosts, type Target } from '#base/server/database/hosts.ts'
import { driverAddress, type Limits } from '#base/server/database/statement-limit.ts'

export type SessionConfig = pg.ClientConfig & { connectionString: string; limits?: Limits }

// One host has as long as its connection may take. Of several, one that accepts and never answers must not use up a call's time.
const connectTimeoutMs = 10_000
const oneOfSeveralMs = 5_000

type ConnectCallback = (error: Error | null, client?: pg.Client) => void

/** Every host that answers is in recovery where a primary is needed, or is a primary where a standby is. Nothing was done. */
export class WrongRole extends Error {
  override name = 'WrongRole'
  readonly code = '25006'
  readonly isStandby: boolean

  constructor(places: string, isStandby: boolean) {
    super(`PostgreSQL at ${places} is ${isStandby ? 'a standby, in recovery' : 'a primary'}`)
    this.isStandby = isStandby
  }
}

// The host answers, and another one would answer the same: user, password, database.
const sameEverywhere = /^(28|3D)/

const setLimitsSql = 'select set_config(name, value, false) from json_each_text($1::json) as its (name, value)'

/**
 * A connection to the first suitable host of its address. It sets its limits after connecting, for a pooler refuses or ignores them as
 * start-up parameters.
 */
export class SessionClient extends pg.Client {
  readonly #config: pg.ClientConfig
  readonly #hosts: Hosts
  readonly #limits: Limits
  #attempts = 0
  #inHotStandby: string | undefined

  constructor(config: Partial<SessionConfig> = {}) {
    const { connectionString = '', limits = {}, connectionTimeoutMillis: usualMs = connectTimeoutMs, ...rest } = config
    const hosts = hostsOf(connectionString)
    const asked = new URL(connectionString).searchParams.get('connect_timeout')
    const timeoutMs = hosts.places.length > 1 ? Math.min(oneOfSeveralMs, usualMs) : usualMs
    const own = {
      ...rest,
      connectionString: driverAddress(connectionString),
      connectionTimeoutMillis: asked === null ? timeoutMs : Number(asked) * 1_000,
    }
    super(own)
    this.#config = own
    this.#hosts = hosts
    this.#limits = limits
  }

  /** What the session answers to: a primary or a standby, as it was told at its start or since. */
  get isStandby(): boolean {
    return this.#inHotStandby === 'on'
  }

  get place(): string {
    return nameOf(this)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    const connected = this.#connectInTurn().then(() => this)
    if (callback === undefined) return connected
    callbackify(() => connected)(callback)
  }

  async #connectInTurn(): Promise<void> {
    const { target, places } = this.#hosts
    const failures: unknown[] = []
    const tryEach = async (each: readonly Place[], wanted: Target, isPreferred: boolean): Promise<boolean> => {
      for (const place of each) {
        const failure = await this.#try(place, wanted, isPreferred)
        if (failure === null) return true
        failures.push(failure)
      }
      return false
    }
    const inTurn = this.#hosts.inTurn()
    const hasChoice = target === 'prefer-standby' && places.length > 1
    if (hasChoice) {
      const unknown = inTurn.filter((place) => !this.#hosts.isAvoided(place))
      if (!(await tryEach(unknown, 'standby', true))) {
        if (!(await tryEach(this.#hosts.inTurn(), 'any', false))) throw this.#failureOf(failures)
      }
    } else if (!(await tryEach(inTurn, target, true))) throw this.#failureOf(failures)
    await this.#setLimits()
  }

  /** Null once connected. */
  async #try(place: Place, wanted: Target, isPreferred: boolean): Promise<unknown> {
    try {
      await this.#attempt(place)
      const isStandby = await this.#askRole(wanted)
      if (suits(wanted, isStandby)) {
        this.#hosts.worked(place, isPreferred)
        return null
      }
      this.#abandon()
      this.#hosts.hasOtherRole(place)
      return new WrongRole(nameOf(place), isStandby)
    } catch (error) {
      const code = codeOf(error)
      if (sameEverywhere.test(code)) throw error
      this.#hosts.avoid(place)
      return error
    }
  }

  async #attempt({ host, port }: Place): Promise<void> {
    if (this.#attempts++ > 0) {
      this.#abandon()
      // As the driver begins.
      const { connection } = new pg.Client(this.#config)
      Object.assign(this, { connection, _connecting: false, _connected: false, _connectionError: false })
    }
    this.host = host
    this.port = port
    this.#inHotStandby = undefined
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.#inHotStandby = parameterValue
    })
    await super.connect()
  }

  // A pooler may leave the parameter out, or repeat what PostgreSQL said to an earlier session.
  async #askRole(wanted: Target): Promise<boolean> {
    if (wanted === 'any' || (this.#inHotStandby !== undefined && suits(wanted, this.isStandby))) return this.isStandby
    const { rows } = await this.query<{ is: boolean }>('select pg_is_in_recovery() as is')
    return rows[0]?.is ?? false
  }

  // The next attempt has a connection of its own, and nothing of this one may end the client.
  #abandon(): void {
    const { connection } = this
    connection.removeAllListeners()
    connection.on('error', () => undefined)
    connection.stream.destroy()
  }

  /** In pipeline mode, nothing waits: the first statement follows at once. */
  async #setLimits(): Promise<void> {
    if (Object.keys(this.#limits).length === 0) return
    const set = this.query(setLimitsSql, [JSON.stringify(this.#limits)])
    if (!this.pipeline) await set
    // A connection without its limits is of no use.
    else set.catch(() => this.connection.stream.destroy())
  }

  #failureOf(failures: unknown[]): unknown {
    const wrong = failures.find((failure) => failure instanceof WrongRole)
    if (wrong) return new WrongRole(this.#hosts.names, wrong.isStandby)
    if (failures.length === 1) return failures[0]
    const reasons = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)))
    return Object.assign(new Error(`None of ${this.#hosts.names} answers: ${reasons.join('; ')}`), { code: codeOf(failures.at(-1)) })
  }
}

function suits(wanted: Target, isStandby: boolean): boolean {
  return wanted === 'any' || wanted === 'prefer-standby' || isStandby === (wanted === 'standby')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
