import { sql } from 'kysely'
import type { AssistantJob } from '#assistant/contract.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { isBeingWritten, longestMinutes, settle, tokensIn } from '#assistant/server/usage.ts'
import { deleteOlderThan } from '#base/server/data-retention.ts'
import { transact, type Database, type Db } from '#base/server/database.ts'
import type { Job } from '#base/server/jobs.ts'
import * as setting from '#setting/server/setting.ts'

const atOnce = 200

export const jobs: Job[] = [
  { name: 'assistant-sweep', cron: '*/5 * * * *', run: ({ database }) => sweep(database) },
  {
    name: 'assistant-forget',
    cron: '23 3 * * *',
    async run({ database: { app } }) {
      const { assistantKeptDays } = await setting.all(app)
      await deleteOlderThan(app, 'assistant_conversation', 'updated_at', assistantKeptDays)
    },
  },
]

/** Ends answers that were cut off with their server, and settles what they took by what had come. */
async function sweep(database: Database): Promise<void> {
  while ((await transact(database, settleCutOff)) === atOnce);
  await sql`
    update assistant_turn set state = 'stopped', ended_at = clock_timestamp()
    where state = 'running' and created_at < ${cutOff} and not ${isBeingWritten(sql`assistant_turn.id`)}`.execute(database.app)
}

const cutOff = sql`clock_timestamp() - make_interval(mins => ${longestMinutes})`

type CutOff = { id: string; job: AssistantJob; prompts: string; answer: string }

/** What the model read and wrote, as far as it was kept: the last turns of the conversation, and what had come of this one. */
async function settleCutOff(tx: Db): Promise<number> {
  const { rows } = await sql<CutOff>`
    select used.id::text, job, coalesce(turn.answer, '') as answer, coalesce((
      select string_agg(prompt || case when id < turn.id then answer else '' end, ' ') from (
        select id, prompt, answer from assistant_turn
        where conversation_id = turn.conversation_id and id <= turn.id order by id desc limit 20
      ) as last), '') as prompts
    from assistant_use as used left join assistant_turn as turn on turn.id = turn_id
    where used.ended_at is null and began_at < ${cutOff}
    order by began_at limit ${atOnce} for update of used skip locked`.execute(tx)
  for (const { id, job, prompts, answer } of rows) {
    // Nobody noted which model it was: the one that is asked first.
    const [model = null] = await modelsFor(tx, job)
    await settle(tx, id, model, { input: tokensIn(prompts), cached: 0, output: tokensIn(answer), isEstimated: true })
  }
  return rows.length
}
