import type pg from 'pg'

/** A column as described by the database, with its table column. */
export type Column = { name: string; type: number; table: number; place: number }

type Message = { fields: { name: string; tableID: number; columnID: number; dataTypeID: number }[] }
type Wire = {
  parse(message: { name: string; text: string }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
}

/** Describes a statement without running it. */
class Description {
  columns: Column[] = []
  #settle: PromiseWithResolvers<Column[]> = Promise.withResolvers()
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get answer(): Promise<Column[]> {
    return this.#settle.promise
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    wire.parse({ name: '', text: this.#text })
    wire.describe({ type: 'S', name: '' })
    wire.sync()
  }

  handleRowDescription({ fields }: Message): void {
    this.columns = fields.map(({ name, tableID, columnID, dataTypeID }) => ({ name, type: dataTypeID, table: tableID, place: columnID }))
  }

  handleError(error: Error): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.columns)
  }
}

/** The columns of a statement's result. */
export function describe(client: pg.Client, text: string): Promise<Column[]> {
  const description = new Description(text)
  client.query(description)
  return description.answer
}
