import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type pg from 'pg'

// PostgreSQL keeps each plan in the memory of the connection.
const maxStatements = 400
// The program's own statements are all shorter; bulk writes are not.
const maxTextLength = 12_000

/** Parts of the driver that its types omit. */
type Wire = {
  stream: Socket
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  close(message: { type: 'S'; name: string }): void
}

type Statement = { name: string; /** True once its last use was answered: the database has it. */ isPrepared: boolean }

/**
 * Prepares the most recently used statements with parameters of one connection, instead of planning them at every call. Unless its last use
 * was answered, a statement is closed and prepared again in the packet that uses it. Closing an unknown statement is no error, not even in
 * a failed transaction, so a name is never missing and never taken, however earlier uses ended.
 */
export class PreparedStatements {
  readonly #client: pg.Client
  readonly #max: number
  /** By text, the least recently used first. */
  readonly #kept = new Map<string, Statement>()

  /** With a `max` of 0, every statement is planned at each use. */
  constructor(client: pg.Client, max = maxStatements) {
    this.#client = client
    this.#max = max
  }

  /** The client is in pipeline mode: this is sent at once, after everything sent before. */
  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (values.length === 0 || text.length > maxTextLength || this.#max === 0) return this.#client.query({ text, values: [...values] })
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

  // The driver prepares a statement again once it is deleted here.
  #close({ name }: Statement): void {
    const wire = wireOf(this.#client)
    wire.close({ type: 'S', name })
    delete wire.parsedStatements[name]
    delete wire.submittedNamedStatements[name]
  }
}

/** Sends everything that `send` writes in one packet. */
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

// The same on every connection, for a pooler that shares statements among them.
function nameOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
