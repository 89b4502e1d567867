import type { Doc } from '#base/rich-text/document.ts'
import type { Person } from '#base/testing/forum.ts'
import { publishTopic } from '#topic/contract.ts'
import { says } from '#writing/server/example.ts'

let published = 0

/** A topic, published by this person through the front door. Gives its id. */
export async function aTopic(author: Person, tagId: string, { title, body }: { title?: string; body?: Doc } = {}): Promise<string> {
  const number = ++published
  const { topicId } = await author.call(publishTopic, {
    tagId,
    title: title ?? `Topic ${number}`,
    body: body ?? says(`The words of topic ${number}.`),
  })
  return topicId
}
