import { randomUUID } from 'node:crypto'
import type { Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contract from '#message/contract.ts'
import { says } from '#writing/testing/factories.ts'

/** Sends a message through the API. Returns its id. */
export async function aMessage(from: Pick<Visitor, 'call'>, to: Pick<Person, 'id'>, text = 'hello'): Promise<string> {
  const { message } = await from.call(contract.send, { userId: to.id, body: says(text), key: randomUUID() })
  return message.id
}

/** Two members whose requests to each other are accepted. */
export async function talking(one: Person, other: Person): Promise<void> {
  await one.call(contract.changeMessageSettings, { from: 'everybody' })
  await aMessage(other, one, 'Good morning')
}

/** The texts of a conversation as one of the two reads it, oldest first. */
export async function saidBetween(reader: Pick<Visitor, 'call'>, other: Pick<Person, 'id'>): Promise<string[]> {
  const { messages } = await reader.call(contract.conversation, { userId: other.id })
  return messages.map(({ segments }) => segments.map(({ html }) => html.replaceAll(/<[^>]*>/g, '')).join('\n'))
}

/** A member's conversations: partner, latest text and number unread. */
export async function conversationsOf(reader: Pick<Visitor, 'call'>, folder: (typeof contract.folders)[number] = 'inbox', search = '') {
  const { conversations } = await reader.call(contract.conversations, { in: folder, search })
  return conversations.map(({ member, last, unread }) => [member.id, last.text, unread] as const)
}
