import type { Db } from '#base/server/database/database.ts'
import { readPolls } from '#database/sample/polls.ts'
import type { People } from '#database/seed/document.ts'
import { speaker, type Seeds } from '#database/seed/post.ts'
import { publish } from '#poll/server/publish.ts'
import { vote } from '#poll/server/vote.ts'

/** Sample threads with a poll, in which members voted. */
export async function addPolls(tx: Db, { sample, now }: Seeds, people: People): Promise<void> {
  for (const { topic: slug, votes, ...written } of readPolls()) {
    const topic = sample.topics.find((one) => one.slug === slug)
    if (!topic) throw new Error(`The sample has a poll with ${slug}, which is no topic`)
    const {
      id: topicId,
      kind,
      tagId,
    } = await tx.selectFrom('topic').select(['id', 'kind', 'tag_id as tagId']).where('title', '=', topic.title).executeTakeFirstOrThrow()
    const draft = { isPublic: false, showsResults: 'always' as const, ...written }
    await publish(tx, speaker(people, topic.author), { id: topicId, kind, tagId, isPending: false, at: now }, draft)
    const options = await tx.selectFrom('poll_option').select('id').where('topic_id', '=', topicId).orderBy('place').execute()
    for (const [account, numbers] of Object.entries(votes))
      await vote(tx, speaker(people, account), { topicId, optionIds: numbers.flatMap((number) => options[number - 1]?.id ?? []) })
  }
}
