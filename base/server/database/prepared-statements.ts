import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type pg from 'pg'

// PostgreSQL keeps the plan of each in the memory of the connection.
const maxStatements = 400
// The program's own are all shorter; bulk writes are not.
const maxTextLength = 8_000

/** The parts of the driver that its types leave out. */
type Wire = {
  stream: Socket
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  close(message: { type: 'S'; name: string }): void
}

type Statement = { name: string; /** Its last use was answered, so the database has it. */ isPrepared: boolean }

/**
 * The statements that one connection plans once instead of at every call: those with parameters that were used most recently. Unless the last use of
 * a statement was answered, it is closed and prepared again in the packet that uses it. Closing is no error where there is none, nor in a
 * transaction that failed, so its name is never missing and never taken, whatever became of earlier uses.
 */
export class PreparedStatements {
  readonly #client: pg.Client
  readonly #max: number
  /** By their text, the least recently used first. */
  readonly #kept = new Map<string, Statement>()

  constructor(client: pg.Client, max = maxStatements) {
    this.#client = client
    this.#max = max
  }

  /** The client is in pipeline mode, so this is sent at once, behind all that was sent before. */
  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (values.length === 0 || text.length > maxTextLength) return this.#client.query({ text, values: [...values] })
    const statement = this.#use(text)
    const result = await this.#client.query({ name: statement.name, text, values: [...values] })
    statement.isPrepared = true
    return result
  }

  #use(text: string): Statement {
    const last = this.#kept.get(text)
    const statement = { name: last?.name ?? nameOf(text), isPrepared: false }
    if (!last?.isPrepared) this.#close(statement)
    this.#kept.delete(text)
    this.#kept.set(text, statement)
    this.#dropLeastRecent()
    return statement
  }

  #dropLeastRecent(): void {
    const [least] = this.#kept
    if (!least || this.#kept.size <= this.#max) return
    const [text, statement] = least
    this.#kept.delete(text)
    this.#close(statement)
  }

  // The driver prepares again what it does not remember.
  #close({ name }: Statement): void {
    const wire = wireOf(this.#client)
    wire.close({ type: 'S', name })
    delete wire.parsedStatements[name]
    delete wire.submittedNamedStatements[name]
  }
}

/** One packet holds all that `send` sends. */
export function inOnePacket<T>(client: pg.Client, send: () => T): T {
  const { stream } = wireOf(client)
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

export function streamOf(client: pg.Client): Socket {
  return wireOf(client).stream
}

function wireOf(client: pg.Client): Wire {
  return client.connection as unknown as Wire
}

// The same on every connection, for a pooler in between that shares the statements of many.
function nameOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
