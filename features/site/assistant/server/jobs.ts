import { sql, type RawBuilder } from 'kysely'
import type { AssistantJob } from '#assistant/contract.ts'
import { notifyBudget } from '#assistant/server/budget-notice.ts'
import { silentSeconds } from '#assistant/server/heartbeat.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { firstStoredDay } from '#assistant/server/usage-for-staff.ts'
import { settle, tokensIn } from '#assistant/server/usage.ts'
import { startOfDay } from '#base/server/calendar.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as setting from '#setting/server/setting.ts'

const rowsPerTurn = 200
const dayMs = 24 * 60 * 60_000

export const jobs: Job[] = [
  { name: 'assistant-sweep', cron: '* * * * *', run: ({ database }) => sweep(database) },
  { name: 'assistant-forget', cron: '23 3 * * *', run: ({ database }) => purge(database) },
]

/** Ends answers whose server died, settles their usage by the partial text, and notifies staff about the budget. */
async function sweep(database: Database): Promise<void> {
  const before = new Date(Date.now() - silentSeconds * 1_000)
  while ((await transact(database, (tx) => settleCutOff(tx, before))) === rowsPerTurn);
  await sql`select end_interrupted_turns(${before})`.execute(database.app)
  await notifyBudget(database)
}

type CutOffUse = { id: string; job: AssistantJob; input: number; output: number; read: string; written: string }

async function settleCutOff(tx: Db, before: Date): Promise<number> {
  const { rows } = await sql<CutOffUse>`
    select id::text, job, input_tokens as input, output_tokens as output, read, written from interrupted_uses(${before}, ${rowsPerTurn})`.execute(
    tx,
  )
  for (const { id, job, input, output, read, written } of rows) {
    // The model was not recorded: the first in order is assumed.
    const [model = null] = await modelsFor(tx, job)
    const tokens = { input: Math.max(input, tokensIn(read)), output: Math.max(output, tokensIn(written)) }
    await settle(tx, id, model, { ...tokens, cached: 0, isEstimated: true })
  }
  return rows.length
}

/** Purges conversations, copies in handled reports, and usage after their retention. */
async function purge({ app }: Database): Promise<void> {
  const { assistantKeptDays, timeZone } = await setting.all(app)
  const since = new Date(Date.now() - assistantKeptDays * dayMs)
  await deleteInChunks(app, sql`delete_conversations(${since}, ${rowsPerTurn})`)
  await deleteInChunks(app, sql`delete_reported_turns(${since}, ${rowsPerTurn})`)
  await deleteInChunks(app, sql`delete_uses(${startOfDay(firstStoredDay(timeZone), timeZone)}, ${rowsPerTurn})`)
}

/** Repeats a chunked deletion until it returns 0. */
async function deleteInChunks(app: Db, deletes: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`select ${deletes} as count`.execute(app)
    if ((rows[0]?.count ?? 0) < rowsPerTurn) return
  }
}
