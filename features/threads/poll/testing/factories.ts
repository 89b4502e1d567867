import type { RawInput } from '#base/contract.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Person } from '#base/testing/forum.ts'
import { sql } from 'kysely'
import { showPoll } from '#poll/contract.ts'
import { endDue } from '#poll/server/end.ts'
import { publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

type Draft = NonNullable<NonNullable<RawInput<typeof publishTopic>['parts']>['poll']>

/** A poll with these options, where the draft names no others. */
export const teas = ['Green', 'Black', 'Oolong']

let published = 0

/** Publishes a topic with a poll through the API. Returns the topic's id and those of the options. */
export async function aPoll(author: Person, tagId: string, draft: Partial<Draft> = {}): Promise<{ topicId: string; optionIds: string[] }> {
  const { topicId } = await author.call(publishTopic, topicWithPoll(tagId, draft))
  const { options } = await author.call(showPoll, { topicId })
  return { topicId, optionIds: options.map(({ id }) => id) }
}

export function topicWithPoll(tagId: string, draft: Partial<Draft> = {}): RawInput<typeof publishTopic> {
  const number = ++published
  const poll = { options: teas, ...draft }
  return { tagId, title: `Topic ${number} with a poll`, body: says(`Which tea, in topic ${number}?`), parts: { poll } }
}

/** Moves the end of a poll into the past, without running the job. */
export async function letPass({ app }: Database, topicId: string): Promise<void> {
  await sql`update poll set ends_at = clock_timestamp() - interval '1 second' where topic_id = ${topicId}`.execute(app)
}

/** The same, with the job. */
export async function letEnd(database: Database, topicId: string): Promise<void> {
  await letPass(database, topicId)
  await endDue(database)
}

export async function ballotsIn(database: Database, topicId: string): Promise<{ memberId: string; optionIds: string[] }[]> {
  return transact(database, async (tx) => {
    const rows = await tx
      .selectFrom('poll_ballot')
      .select(['member_id as memberId', sql<string[]>`option_ids::text[]`.as('optionIds')])
      .where('topic_id', '=', topicId)
      .orderBy('member_id')
      .execute()
    return rows
  })
}
