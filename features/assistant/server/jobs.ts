import { sql, type RawBuilder } from 'kysely'
import type { AssistantJob } from '#assistant/contract.ts'
import { tellOfBudget } from '#assistant/server/budget-notice.ts'
import { silentSeconds } from '#assistant/server/heartbeat.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { firstKept } from '#assistant/server/usage-for-staff.ts'
import { settle, tokensIn } from '#assistant/server/usage.ts'
import { startOf } from '#base/server/calendar.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as setting from '#setting/server/setting.ts'

const atOnce = 200
const dayMs = 24 * 60 * 60_000

export const jobs: Job[] = [
  { name: 'assistant-sweep', cron: '* * * * *', run: ({ database }) => sweep(database) },
  { name: 'assistant-forget', cron: '23 3 * * *', run: ({ database }) => forget(database) },
]

/** Ends answers that were cut off with their server, settles what they took by what had come, and tells staff how the budget stands. */
async function sweep(database: Database): Promise<void> {
  const before = new Date(Date.now() - silentSeconds * 1_000)
  while ((await transact(database, (tx) => settleCutOff(tx, before))) === atOnce);
  await sql`select end_cut_off_turns(${before})`.execute(database.app)
  await tellOfBudget(database)
}

type CutOff = { id: string; job: AssistantJob; input: number; output: number; read: string; written: string }

async function settleCutOff(tx: Db, before: Date): Promise<number> {
  const { rows } = await sql<CutOff>`
    select id::text, job, input_tokens as input, output_tokens as output, read, written from cut_off_uses(${before}, ${atOnce})`.execute(tx)
  for (const { id, job, input, output, read, written } of rows) {
    // The model was not noted: the first in order is taken.
    const [model = null] = await modelsFor(tx, job)
    const tokens = { input: Math.max(input, tokensIn(read)), output: Math.max(output, tokensIn(written)) }
    await settle(tx, id, model, { ...tokens, cached: 0, isEstimated: true })
  }
  return rows.length
}

/** Deletes conversations that rest longer than they are kept, and copies in reports that were handled so long ago; and what answers took before the days that staff can look at. */
async function forget({ app }: Database): Promise<void> {
  const { assistantKeptDays, timeZone } = await setting.all(app)
  const since = new Date(Date.now() - assistantKeptDays * dayMs)
  await untilNone(app, sql`forget_conversations(${since}, ${atOnce})`)
  await untilNone(app, sql`forget_reported_turns(${since}, ${atOnce})`)
  await untilNone(app, sql`forget_uses(${startOf(firstKept(timeZone), timeZone)}, ${atOnce})`)
}

/** Repeats a deletion of some at a time, which answers how many it deleted. */
async function untilNone(app: Db, deletes: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`select ${deletes} as count`.execute(app)
    if ((rows[0]?.count ?? 0) < atOnce) return
  }
}
