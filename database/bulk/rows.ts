import { nicknameOf, titleOf, type Language } from '#database/bulk/sentences.ts'
import { commentPost, languageFor, replyPost, topicPost } from '#database/bulk/post.ts'
import type { Plan } from '#database/bulk/plan.ts'
import { at, random } from '#database/bulk/random.ts'
import { titleWords } from '#topic/server/title-words.ts'
import * as user from '#user/server/user.ts'

/** The numbers that the database has kept for us, and the rest that a plan leaves open. */
export type Ground = {
  first: { member: number; topic: number; comment: number; reply: number }
  tagIds: readonly string[]
  passwordHash: string
  opensAt: Date
  now: Date
}

type Value = string | number | boolean | null
/** A table's columns, and its rows in their order. */
export type Load = { table: string; columns: readonly string[]; rows: Iterable<readonly Value[]>; count: number }

/** Everything that is planned, written out; each table after those that it refers to. */
export function loadsOf(plan: Plan, ground: Ground): Load[] {
  return [
    { table: 'member', columns: memberColumns, rows: memberRows(plan, ground), count: plan.members.topics.length },
    { table: 'topic', columns: topicColumns, rows: topicRows(plan, ground), count: plan.topics.at.length },
    { table: 'topic_word', columns: ['word', 'topic_id'], rows: wordRows(plan, ground), count: 0 },
    { table: 'comment', columns: commentColumns, rows: commentRows(plan, ground), count: plan.comments.at.length },
    { table: 'reply', columns: replyColumns, rows: replyRows(plan, ground), count: plan.replies.at.length },
  ]
}

const memberColumns = [
  ...['id', 'account', 'account_key', 'nickname', 'nickname_key', 'password_hash', 'language', 'agreed_to_terms_at', 'joined_at'],
  ...['topic_count', 'comment_count', 'reply_count'],
]

function* memberRows({ members }: Plan, { first, passwordHash, opensAt }: Ground) {
  const chance = random(1)
  for (let index = 0; index < members.topics.length; index++) {
    const id = first.member + index
    const language = languageFor(chance)
    const account = `bulk_${id}`
    const nickname = nicknameOf(language, id, chance)
    const joined = opensAt.toISOString()
    const names = [account, user.nameKey(account), nickname, user.nameKey(nickname)]
    yield [
      id,
      ...names,
      passwordHash,
      language,
      joined,
      joined,
      at(members.topics, index),
      at(members.comments, index),
      at(members.replies, index),
    ]
  }
}

const topicColumns = [
  ...['id', 'tag_id', 'author_id', 'title', 'body', 'segments', 'summary', 'published_at', 'last_reply_at', 'last_reply_by', 'featured_at'],
  ...['floors', 'author_floors', 'comment_count', 'view_count'],
]

function* topicRows({ topics }: Plan, ground: Ground) {
  const { first, tagIds } = ground
  const chance = random(2)
  for (const { index, language, title } of titles(topics.at.length)) {
    const { body, segments, text } = topicPost(language, chance)
    const [published, last] = [dateOf(ground, at(topics.at, index)), dateOf(ground, at(topics.lastAt, index))]
    const lastBy = at(topics.lastBy, index) < 0 ? null : first.member + at(topics.lastBy, index)
    const comments = at(topics.comments, index)
    yield [
      ...[first.topic + index, tagIds[at(topics.tag, index)] ?? null, first.member + at(topics.author, index), title, body, segments, text],
      ...[published, last, lastBy, chance.next() < 0.01 ? last : null],
      ...[at(topics.floors, index), at(topics.authorFloors, index), comments, comments * 12 + 2 + chance.below(60)],
    ]
  }
}

function* wordRows({ topics }: Plan, { first }: Ground) {
  for (const { index, title } of titles(topics.at.length)) {
    for (const word of titleWords(title)) yield [word, first.topic + index]
  }
}

function* titles(count: number): Generator<{ index: number; language: Language; title: string }> {
  const chance = random(3)
  for (let index = 0; index < count; index++) {
    const language = languageFor(chance)
    yield { index, language, title: titleOf(language, chance) }
  }
}

const commentColumns = [
  'id',
  'topic_id',
  'author_id',
  'floor',
  'author_floor',
  'quotes',
  'body',
  'segments',
  'text',
  'published_at',
  'reply_count',
]

function* commentRows({ comments }: Plan, ground: Ground) {
  const { first } = ground
  const chance = random(4)
  for (let index = 0; index < comments.at.length; index++) {
    const { body, segments, text } = commentPost(languageFor(chance), chance)
    const quotes = at(comments.quotes, index)
    yield [
      ...[first.comment + index, first.topic + at(comments.topic, index), first.member + at(comments.author, index)],
      ...[at(comments.floor, index), at(comments.authorFloor, index) || null, quotes < 0 ? null : first.comment + quotes],
      ...[body, segments, text, dateOf(ground, at(comments.at, index)), at(comments.replies, index)],
    ]
  }
}

const replyColumns = ['id', 'comment_id', 'topic_id', 'author_id', 'answers', 'body', 'segments', 'text', 'published_at']

function* replyRows({ comments, replies }: Plan, ground: Ground) {
  const { first } = ground
  const chance = random(5)
  for (let index = 0; index < replies.at.length; index++) {
    const { body, segments, text } = replyPost(languageFor(chance), chance)
    const comment = at(replies.comment, index)
    const answers = at(replies.answers, index)
    yield [
      ...[
        first.reply + index,
        first.comment + comment,
        first.topic + at(comments.topic, comment),
        first.member + at(replies.author, index),
      ],
      ...[answers < 0 ? null : first.reply + answers, body, segments, text, dateOf(ground, at(replies.at, index))],
    ]
  }
}

function dateOf({ opensAt, now }: Ground, moment: number): string {
  return new Date(opensAt.getTime() + moment * (now.getTime() - opensAt.getTime())).toISOString()
}
