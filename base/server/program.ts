import type { Db } from '#base/server/database/connection.ts'
import type { Invalidations } from '#base/server/cache/invalidation.ts'

/** One forum in this process. Caches, buffers and queues belong to it, so that two forums in one process share nothing. */
export type Program = {
  /** In their order; `feature.ts` says what each of them is. */
  readonly features: readonly { name: string }[]
  readonly invalidations: Invalidations
}

// Kysely gives each instance an adapter and hands the same one to all transactions and connections of that instance.
const programs = new WeakMap<object, Program>()

/** Makes a database, and each transaction on it, find its program. */
export function attachProgram(db: Db, program: Program): void {
  programs.set(db.getExecutor().adapter, program)
}

/** The program that a database or a transaction belongs to. */
export function programOf(db: Db): Program {
  const program = programs.get(db.getExecutor().adapter)
  if (!program) throw new Error('This database belongs to no program')
  return program
}

/** A value that each program has one of: made on first use, found by any of its databases or transactions, gone with the program. */
export function perProgram<T>(make: (program: Program) => T): (db: Db) => T {
  const values = new WeakMap<Program, { value: T }>()
  return (db) => {
    const program = programOf(db)
    const found = values.get(program)
    if (found) return found.value
    const value = make(program)
    values.set(program, { value })
    return value
  }
}
