import type { Doc } from '#base/rich-text/document.ts'
import type { Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import type { EnvelopeKind } from '#red-envelope/contract.ts'
import { publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

let published = 0

/** Publishes a topic as this person through the API. Returns its id. */
export async function aTopic(author: Person, tagId: string, { title, body }: { title?: string; body?: Doc } = {}): Promise<string> {
  const number = ++published
  const { topicId } = await author.call(publishTopic, {
    tagId,
    title: title ?? `Topic ${number}`,
    body: body ?? says(`The words of topic ${number}.`),
  })
  return topicId
}

/** Tries to publish a topic with a red envelope. Returns the response. */
export function gives(giver: Person, tagId: string, wish: { envelopeKind: EnvelopeKind } & Record<string, unknown>) {
  const number = ++published
  const input = { tagId, title: `Topic ${number}`, body: says(`Tea for all of you, number ${number}.`), ...wish }
  return giver.tryCall(publishTopic, input, newIdempotencyKey())
}
