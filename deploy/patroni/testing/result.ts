import { bookChecks } from '#apps/server/features.ts'
import type { Database } from '#base/server/database/database.ts'
import { counterMismatches } from '#base/testing/counters.ts'
import * as wallet from '#wallet/server/wallet.ts'
import type { Load } from './load.ts'

export type Result = { acknowledged: number; lost: string[]; doubled: string[]; books: string[] }

/** Compares what was acknowledged with what is there, and checks the counters and the books. */
export async function resultOf({ acknowledged }: Load, database: Database): Promise<Result> {
  const rows = await database.app.selectFrom('comment').select(['id', 'text']).where('text', 'like', 'Comment %').execute()
  const found = new Map(rows.map(({ id, text }) => [text, id]))
  const counters = await counterMismatches(database.app)
  const breaches = await wallet.breachesIn(database, [...wallet.ledgerChecks, ...bookChecks], null)
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([text, { id }]) => found.get(text) !== id).map(([text]) => text),
    doubled: rows.filter(({ id, text }) => found.get(text) !== id).map(({ text }) => text ?? ''),
    books: [...counters, ...breaches].map((one) => JSON.stringify(one)),
  }
}

/** How long after this moment a write was acknowledged that was sent since. */
export function recoveryMs({ acknowledged }: Load, since: number): number {
  return Math.min(...[...acknowledged.values()].filter(({ sentAt }) => sentAt >= since).map(({ at }) => at - since))
}

/** The longest that a member waited, with all attempts, for a write begun between these moments, or before and not answered. */
export function longestWriteMs({ acknowledged }: Load, from: number, to: number): number {
  const concerned = [...acknowledged.values()].filter(({ firstSentAt, at }) => at >= from && firstSentAt <= to)
  return Math.max(0, ...concerned.map(({ firstSentAt, at }) => at - firstSentAt))
}
