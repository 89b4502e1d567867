import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/connection.ts'
import { perProgram } from '#base/server/program.ts'

/** A value in a statement: known already, or a parameter whose value is known only when the statement runs. */
export type Value<T> = T | RawBuilder<T>

/** The parameters of a statement, by name. */
export type Parameters<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }
type Built<Row> = { compile(db: Db): CompiledQuery<Row> }

/**
 * A statement that is built and compiled at its first use and only filled with values later: what Kysely builds at each call takes tens of
 * microseconds. `build` gets its parameters instead of their values, so conditions on them belong into the SQL or into two statements.
 */
export function statement<Values extends Record<string, unknown>, Row>(
  build: (db: Db, parameters: Parameters<Values>) => Built<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // Features of the program may contribute to the text.
  const compiledOf = perProgram<{ query?: CompiledQuery<Row> }>(() => ({}))
  return async (db, values) => {
    const query = (compiledOf(db).query ??= build(db, parametersOf<Values>()).compile(db))
    const parameters = query.parameters.map((value) => (value instanceof Parameter ? values[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function parametersOf<Values>(): Parameters<Values> {
  return new Proxy({} as Parameters<Values>, { get: (_, name) => sql.val(new Parameter(String(name))) })
}
