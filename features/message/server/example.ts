import { randomUUID } from 'node:crypto'
import type { Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visit.ts'
import * as contract from '#message/contract.ts'
import { says } from '#writing/server/example.ts'

/** Somebody writes to another, through the front door. Gives the message's id. */
export async function aMessage(from: Pick<Visitor, 'call'>, to: Pick<Person, 'id'>, text = 'hello'): Promise<string> {
  const { message } = await from.call(contract.send, { userId: to.id, body: says(text), key: randomUUID() })
  return message.id
}

/** Two members who write to each other as they like. */
export async function talking(one: Person, other: Person): Promise<void> {
  await one.call(contract.changeMessageSettings, { from: 'everybody' })
  await aMessage(other, one, 'Good morning')
}

/** What somebody reads of what they and another wrote, oldest first. */
export async function saidBetween(reader: Pick<Visitor, 'call'>, other: Pick<Person, 'id'>): Promise<string[]> {
  const { messages } = await reader.call(contract.conversation, { userId: other.id })
  return messages.map(({ segments }) => segments.map(({ html }) => html.replaceAll(/<[^>]*>/g, '')).join('\n'))
}

/** Whom somebody writes with, what was said last, and how much of it is unread. */
export async function conversationsOf(reader: Pick<Visitor, 'call'>, folder: (typeof contract.folders)[number] = 'inbox', search = '') {
  const { conversations } = await reader.call(contract.conversations, { in: folder, search })
  return conversations.map(({ member, last, unread }) => [member.id, last.text, unread] as const)
}
