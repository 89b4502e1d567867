import type { RawInput, Output } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#search/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

export type EngineContext = {
  forum: Forum
  mei: Person
  tea: string
  green: string
  elsewhere: string
  /** Publishes a topic and returns its id. */
  topic(title: string, text: string, where?: string, author?: Person): Promise<string>
  comment(topicId: string, text: string, author?: Person): Promise<string>
  reply(commentId: string, text: string, author?: Person): Promise<string>
}

type SearchInput = Omit<RawInput<typeof contract.search>, 'keyword'>
export type SearchOutput = Output<typeof contract.search>

/** A forum with a tag for tea, one for green tea below it, and one for everything else. */
export async function aGround(terms: Parameters<typeof aForum>[0] = {}): Promise<EngineContext> {
  const forum = await aForum(terms)
  const mei = await forum.member()
  const tea = await aTag(forum.database, { name: 'Tea' })
  const green = await aTag(forum.database, { name: 'Green 绿茶', under: tea })
  const elsewhere = await aTag(forum.database, { name: 'Elsewhere' })
  let author = mei
  let written = 0
  // Rotates authors, because of the rate limit for topics.
  const another = async () => (++written % 5 === 0 ? (author = await forum.member()) : author)
  return {
    forum,
    mei,
    tea,
    green,
    elsewhere,
    topic: async (title, text, where = elsewhere, by?: Person) => aTopic(by ?? (await another()), where, { title, body: says(text) }),
    comment: async (topicId, text, by) => aComment(by ?? (await another()), topicId, { body: says(text) }),
    reply: async (commentId, text, by) => aReply(by ?? (await another()), commentId, { body: says(text) }),
  }
}

/** Each search has an IP address of its own, because of the rate limit. */
export function find(
  { forum }: Pick<EngineContext, 'forum'>,
  keyword: string,
  wish: SearchInput = {},
  who: Visitor = forum.visitor(),
): Promise<SearchOutput> {
  return who.call(contract.search, { keyword, ...wish })
}

/** The hits as `topic 12`. */
export async function names(ground: EngineContext, keyword: string, wish: SearchInput = {}, who?: Visitor): Promise<string[]> {
  return (await find(ground, keyword, wish, who)).hits.map(({ kind, id }) => `${kind} ${id}`)
}

/** Waits until everything written so far is indexed. */
export function settled({ forum }: EngineContext): Promise<void> {
  return settledIn(forum.database)
}

export async function settledIn({ app }: Database): Promise<void> {
  await until(async () => (await app.selectFrom('search_change').select('number').limit(1).execute()).length === 0)
}

/** The pieces of a text with matches in brackets. */
export function bracketed(pieces: readonly { text: string; isHit: boolean }[]): string {
  return pieces.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('')
}
