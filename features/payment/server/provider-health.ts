import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#base/server/database.ts'
import type { ProviderName } from '#payment/contract.ts'
import { keyProblems } from '#payment/event-contract.ts'

const Ending = z.object({ name: z.string(), endsAt: z.iso.datetime() })

/** What the keys of a provider came to when they were tried. */
export type Trial = { problem: (typeof keyProblems)[number] | null; detail: string | null; endings: z.infer<typeof Ending>[] }

type Known = Trial & { triedAt: Date | null }

/** What is known of each provider that was ever tried. */
export async function lookedAt(db: Db): Promise<Map<string, Known>> {
  const rows = await db.selectFrom('payment_provider').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.name,
      {
        problem: z.enum(keyProblems).nullable().parse(row.problem),
        detail: row.detail,
        endings: z.array(Ending).parse(row.endings),
        triedAt: row.tried_at,
      },
    ]),
  )
}

/** Keeps what its keys came to. What they end with stays known where they could not be tried. */
export async function triedKeys(tx: Db, name: ProviderName, { problem, detail, endings }: Trial): Promise<void> {
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
