import { nicknameOf, titleOf, type Language } from '#database/bulk/sentences.ts'
import { commentPost, languageFor, replyPost, topicPost } from '#database/bulk/post.ts'
import type { Plan } from '#database/bulk/plan.ts'
import { at, random, type Random } from '#database/bulk/random.ts'
import { titleWords } from '#post/server/title-words.ts'
import * as user from '#user/server/user.ts'

/** The reserved ids, and everything else that a plan leaves open. */
export type BulkContext = {
  first: { member: number; topic: number; comment: number; reply: number }
  tagIds: readonly string[]
  passwordHash: string
  opensAt: Date
  now: Date
}

/** Later comments and replies repeat the texts of so many, in this order, so that a forum of millions is filled and indexed in minutes. */
export const distinctTexts = 10_000

/** A column for each key. */
export type Row = Record<string, string | number | null>
export type Load = { table: string; rows: Generator<Row, undefined>; count: number }

/** The rows of a plan; each table after those it refers to. */
export function loadsOf(plan: Plan, context: BulkContext): Load[] {
  return [
    { table: 'member', rows: memberRows(plan, context), count: plan.members.topics.length },
    { table: 'topic', rows: topicRows(plan, context), count: plan.topics.at.length },
    { table: 'topic_word', rows: wordRows(plan, context), count: 0 },
    { table: 'comment', rows: commentRows(plan, context), count: plan.comments.at.length },
    { table: 'reply', rows: replyRows(plan, context), count: plan.replies.at.length },
  ]
}

function* memberRows({ members }: Plan, { first, passwordHash, opensAt }: BulkContext): Generator<Row, undefined> {
  const chance = random(1)
  const joined = opensAt.toISOString()
  for (let index = 0; index < members.topics.length; index++) {
    const id = first.member + index
    const language = languageFor(chance)
    const account = `bulk_${id}`
    const nickname = nicknameOf(language, id, chance)
    yield {
      id,
      account,
      account_key: user.nameKey(account),
      nickname,
      nickname_key: user.nameKey(nickname),
      password_hash: passwordHash,
      language,
      agreed_to_terms_at: joined,
      joined_at: joined,
      topic_count: at(members.topics, index),
      comment_count: at(members.comments, index),
      reply_count: at(members.replies, index),
    }
  }
}

function* topicRows({ topics }: Plan, context: BulkContext): Generator<Row, undefined> {
  const { first, tagIds } = context
  const chance = random(2)
  for (const { index, language, title } of titles(topics.at.length)) {
    const { body, segments, text } = topicPost(language, chance)
    const lastBy = at(topics.lastBy, index)
    const lastAt = dateOf(context, at(topics.lastAt, index))
    yield {
      id: first.topic + index,
      tag_id: tagIds[at(topics.tag, index)] ?? null,
      author_id: first.member + at(topics.author, index),
      title,
      body,
      segments,
      summary: text,
      published_at: dateOf(context, at(topics.at, index)),
      last_reply_at: lastAt,
      last_reply_by: lastBy < 0 ? null : first.member + lastBy,
      featured_at: chance.next() < 0.01 ? lastAt : null,
      floors: at(topics.floors, index),
      author_floors: at(topics.authorFloors, index),
      comment_count: at(topics.comments, index),
      reply_count: at(topics.replies, index),
      view_count: at(topics.comments, index) * 12 + 2 + chance.below(60),
    }
  }
}

function* wordRows({ topics }: Plan, { first }: BulkContext): Generator<Row, undefined> {
  for (const { index, title } of titles(topics.at.length)) {
    for (const word of titleWords(title)) yield { word, topic_id: first.topic + index }
  }
}

function* titles(count: number): Generator<{ index: number; language: Language; title: string }> {
  const chance = random(3)
  for (let index = 0; index < count; index++) {
    const language = languageFor(chance)
    yield { index, language, title: titleOf(language, chance) }
  }
}

function* commentRows({ comments }: Plan, context: BulkContext): Generator<Row, undefined> {
  const { first } = context
  const text = repeated(random(4), commentPost)
  for (let index = 0; index < comments.at.length; index++) {
    const quotes = at(comments.quotes, index)
    yield {
      id: first.comment + index,
      topic_id: first.topic + at(comments.topic, index),
      author_id: first.member + at(comments.author, index),
      floor: at(comments.floor, index),
      author_floor: at(comments.authorFloor, index) || null,
      quotes: quotes < 0 ? null : first.comment + quotes,
      ...text(index),
      published_at: dateOf(context, at(comments.at, index)),
      reply_count: at(comments.replies, index),
    }
  }
}

function* replyRows({ comments, replies }: Plan, context: BulkContext): Generator<Row, undefined> {
  const { first } = context
  const text = repeated(random(5), replyPost)
  for (let index = 0; index < replies.at.length; index++) {
    const comment = at(replies.comment, index)
    const answers = at(replies.answers, index)
    yield {
      id: first.reply + index,
      comment_id: first.comment + comment,
      topic_id: first.topic + at(comments.topic, comment),
      author_id: first.member + at(replies.author, index),
      answers: answers < 0 ? null : first.reply + answers,
      ...text(index),
      published_at: dateOf(context, at(replies.at, index)),
    }
  }
}

function repeated<T>(chance: Random, make: (language: Language, chance: Random) => T): (index: number) => T {
  const made: T[] = []
  return (index) => (made[index % distinctTexts] ??= make(languageFor(chance), chance))
}

function dateOf({ opensAt, now }: BulkContext, moment: number): string {
  return new Date(opensAt.getTime() + moment * (now.getTime() - opensAt.getTime())).toISOString()
}
