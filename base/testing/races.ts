import { Refusal } from '#base/contract.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { rounds } from '#base/testing/extent.ts'

const parallel = 4

/** Runs every round, several in parallel. */
export async function runRounds(action: (round: number) => Promise<void>, count = rounds): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await action(next++)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

export type Action = (tx: Db) => Promise<unknown>

/** Runs these concurrently; returns which succeeded, and throws on any error but a refusal. */
export async function runConcurrently(database: Database, actions: Action[]): Promise<boolean[]> {
  return Promise.all(
    actions.map((action) =>
      transact(database, action).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false
          throw error
        },
      ),
    ),
  )
}
