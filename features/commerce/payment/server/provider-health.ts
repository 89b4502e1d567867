import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import type { ProviderName } from '#payment/contract.ts'
import { keyProblems } from '#payment/event-contract.ts'
import { TooSmall } from '#payment/server/providers/provider.ts'

const Ending = z.object({ name: z.string(), endsAt: z.iso.datetime() })

export type KeyTest = { problem: (typeof keyProblems)[number] | null; detail: string | null; endings: z.infer<typeof Ending>[] }

type ProviderRecord = KeyTest & { failures: number }

export async function keyTests(db: Db): Promise<Map<string, ProviderRecord>> {
  const rows = await db.selectFrom('payment_provider').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.name,
      {
        problem: z.enum(keyProblems).nullable().parse(row.problem),
        detail: row.detail,
        endings: z.array(Ending).parse(row.endings),
        failures: row.failures,
      },
    ]),
  )
}

/** Stores the result of a test. The expiry dates stay if the provider could not be reached. */
export async function storeKeyTest(tx: Db, name: ProviderName, { problem, detail, endings }: KeyTest): Promise<void> {
  const row = {
    tried_at: sql<Date>`clock_timestamp()`,
    problem,
    detail,
    ...(problem !== 'noAnswer' && { endings: JSON.stringify(endings) }),
  }
  await tx
    .insertInto('payment_provider')
    .values({ name, ...row })
    .onConflict((there) => there.column('name').doUpdateSet(row))
    .execute()
}

/** Calls a provider outside a transaction, and counts consecutive failures, which are reported to the operator. */
export async function trackCall<T>(
  inSeparateTransaction: RunInSeparateTransaction,
  name: ProviderName,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await call()
    if (Date.now() - (lastHealthyAt.get(name) ?? 0) > healthyMs) {
      await inSeparateTransaction((tx) => resetFailures(tx, name))
      lastHealthyAt.set(name, Date.now())
    }
    return answer
  } catch (error) {
    if (error instanceof TooSmall) throw error
    lastHealthyAt.delete(name)
    await inSeparateTransaction((tx) => countFailure(tx, name))
    throw error
  }
}

// The time at which this process last recorded a success, so that not every payment writes it.
const lastHealthyAt = new Map<ProviderName, number>()
const healthyMs = 10_000

async function resetFailures(tx: Db, name: ProviderName): Promise<void> {
  await tx.updateTable('payment_provider').set({ failures: 0 }).where('name', '=', name).where('failures', '>', 0).execute()
}

async function countFailure(tx: Db, name: ProviderName): Promise<void> {
  await sql`
    insert into payment_provider (name, failures) values (${name}, 1)
    on conflict (name) do update set failures = least(payment_provider.failures + 1, 1000000)`.execute(tx)
}
