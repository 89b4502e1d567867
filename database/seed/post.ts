import { sql } from 'kysely'
import * as comments from '#comment/server/comment.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ReportProgress } from '#base/server/progress.ts'
import type { Member } from '#base/server/http/route.ts'
import type { SampleComment, SamplePostscript, SampleReply, SampleTopic } from '#database/sample/topic-file.ts'
import type { Sample } from '#database/sample/read.ts'
import { documentFrom, type People } from '#database/seed/document.ts'
import { required } from '#database/seed/required.ts'
import { keyOf, picturesIn, type Pictures, type Post } from '#database/seed/picture.ts'
import * as file from '#file/server/file.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { heatOf } from '#post/server/post.ts'
import { adopt } from '#question/server/adopt.ts'
import { ask } from '#question/server/ask.ts'
import * as topics from '#topic/server/publish.ts'
import { parseAmount } from '#wallet/contract.ts'
import * as writing from '#writing/server/writing.ts'

/** Everything prepared without the database. */
export type Seeds = {
  sample: Sample
  pictures: Pictures
  tagPictures: Pictures
  passwordHash: string
  terms: { zh: string; en: string }
  now: Date
  /** The site shows a balance in money. */
  hasCash: boolean
}

type SeedPlaces = Pick<SeedContext, 'people' | 'tags'> & { report: ReportProgress }
type SeedContext = { tx: Db; seeds: Seeds; people: People; tags: ReadonlyMap<string, string>; uploaded: Set<string> }
/** A past event of the forum. */
type Action = { at: Date; happen(): Promise<void> }

const minuteMs = 60_000
const dayMs = 86_400_000
const dayInMinutes = 24 * 60
const adoptedAfterMinutes = 60

/** Replays all posts in chronological order, by the features' own rules. */
export async function post(tx: Db, seeds: Seeds, { report, ...there }: SeedPlaces): Promise<void> {
  const ground = { tx, seeds, ...there, uploaded: new Set<string>() }
  const actions = seeds.sample.topics.flatMap((topic) => actionsOf(topic, ground))
  for (const [done, { happen }] of actions.toSorted((one, other) => one.at.getTime() - other.at.getTime()).entries()) {
    report('sample', done, actions.length)
    await happen()
  }
  report('sample', actions.length, actions.length)
}

type SeededComment = { id: string; replies: { author: string; id: string }[] }
/** A topic under construction: the ids of its comments so far, by their place. */
type Thread = { id: string; kind: ThreadKind; asker: string; opened: Date; comments: SeededComment[] }

function actionsOf(topic: SampleTopic, context: SeedContext): Action[] {
  const opened = new Date(context.seeds.now.getTime() - topic.daysAgo * dayMs)
  const kind = topic.asks ? 'question' : 'topic'
  const thread: Thread = { id: '', kind, asker: topic.author, opened, comments: topic.comments.map(() => ({ id: '', replies: [] })) }
  const postscripts = topic.postscripts.map((postscript, index) => {
    const at = later(opened, postscript.minutesAfterTopic)
    return { at, happen: () => addPostscript(thread, { ...postscript, position: index + 1 }, at, context) }
  })
  return [
    { at: opened, happen: () => publish(thread, topic, context) },
    ...topic.comments.flatMap((comment, index) => actionsUnder(thread, comment, thread.comments[index], context)),
    ...postscripts,
  ]
}

function actionsUnder(
  thread: Thread,
  comment: SampleComment,
  seeded: SeededComment = { id: '', replies: [] },
  context: SeedContext,
): Action[] {
  const at = later(thread.opened, comment.minutesAfterTopic)
  const answers = comment.replies.map((reply) => {
    const replied = later(at, reply.minutesAfterComment)
    return { at: replied, happen: () => answer(seeded, reply, replied, context) }
  })
  const adopted = later(answers.at(-1)?.at ?? at, adoptedAfterMinutes)
  const adoption = { at: adopted, happen: () => adoptAnswer(thread, seeded, adopted, context) }
  return [{ at, happen: () => remark(thread, seeded, comment, at, context) }, ...answers, ...(comment.isBest ? [adoption] : [])]
}

async function publish(thread: Thread, topic: SampleTopic, context: SeedContext): Promise<void> {
  const { tx, seeds, people, tags } = context
  const body = await write(topic, context)
  const tagIds = topic.also.map((key) => required(tags, key))
  const draft = { tagId: required(tags, topic.tag), tagIds, title: topic.title, body }
  const [author, when] = [speaker(people, topic.author), { at: thread.opened }]
  thread.id = topic.asks
    ? (await ask(tx, author, { ...draft, ...offered(topic, seeds) }, when)).questionId
    : (await topics.publish(tx, author, draft, when)).topicId
  const featured = new Date(Math.min(later(thread.opened, dayInMinutes).getTime(), seeds.now.getTime()))
  await tx
    .updateTable('topic')
    .set({
      view_count: topic.views,
      pin: topic.pinned ? 1 : 0,
      featured_at: topic.featured ? featured : null,
      heat: heatOf(await setting.all(tx), { comments: sql`0`, views: sql`${topic.views}::int`, likes: sql`0` }),
    })
    .where('id', '=', thread.id)
    .execute()
}

/** The bounty of an asker; its time starts when the forum does. */
function offered({ bounty }: SampleTopic, { hasCash }: Seeds) {
  const points = bounty && parseAmount('points', bounty.points)
  const cents = hasCash && bounty?.yuan ? parseAmount('cny', bounty.yuan) : null
  return { ...(points && { bountyPoints: points }), ...(cents && { bountyCash: cents }) }
}

async function remark(thread: Thread, seeded: SeededComment, comment: SampleComment, at: Date, context: SeedContext): Promise<void> {
  const quotes = comment.quotesFloor === undefined ? undefined : thread.comments[comment.quotesFloor - 1]?.id
  const place = { kind: 'comment', under: thread.id, refersTo: quotes } as const
  const draft = { ...place, body: await write(comment, context) }
  seeded.id = (await comments.add(context.tx, speaker(context.people, comment.author), draft, { at })).id
}

async function answer(seeded: SeededComment, reply: SampleReply, at: Date, context: SeedContext): Promise<void> {
  const answers = seeded.replies.findLast((one) => one.author === reply.answers)?.id
  const place = { kind: 'reply', under: seeded.id, refersTo: answers } as const
  const draft = { ...place, body: await write(reply, context) }
  const { id } = await comments.add(context.tx, speaker(context.people, reply.author), draft, { at })
  seeded.replies.push({ author: reply.author, id })
}

/** The asker accepts an answer after reading and trying it, but not in the future. */
async function adoptAnswer(thread: Thread, seeded: SeededComment, at: Date, { tx, seeds, people }: SeedContext): Promise<void> {
  await adopt(tx, speaker(people, thread.asker), thread.id, seeded.id)
  const adopted_at = new Date(Math.min(at.getTime(), seeds.now.getTime()))
  await tx.updateTable('adoption').set({ adopted_at }).where('topic_id', '=', thread.id).execute()
}

async function addPostscript(
  thread: Thread,
  { position, ...post }: SamplePostscript & { position: number },
  at: Date,
  context: SeedContext,
) {
  const { tx, people } = context
  const document = await write(post, context)
  const { body, segments, fileIds } = await writing.prepare(tx, {
    kind: 'comment',
    thread: thread.kind,
    by: speaker(people, post.author),
    document,
    at,
  })
  await tx.insertInto('postscript').values({ topic_id: thread.id, number: position, body, segments, written_at: at }).execute()
  await file.attach(tx, fileIds, { topicId: thread.id })
}

/** A post as a document, its pictures uploaded by its author. */
async function write(post: Post, { tx, seeds, people, uploaded }: SeedContext): Promise<Doc> {
  const pictures = new Map<string, file.StoredPicture>()
  for (const name of picturesIn(post)) {
    const picture = required(seeds.pictures, keyOf(post, name))
    if (!uploaded.has(picture.id)) await file.add(tx, required(people, post.author).id, picture)
    uploaded.add(picture.id)
    pictures.set(name, picture)
  }
  return documentFrom(seeds.hasCash ? post.body : withoutCash(post.body), pictures, people)
}

// A forum without a balance has no parts hidden for money.
function withoutCash(body: string): string {
  return body.replaceAll(/^:::hidden balance=.*\n(?:(?!:::).*\n)*:::\n?/gm, '')
}

// Current roles say nothing about the past, so every right is granted.
/** The author of a past post. */
export function speaker(people: People, account: string): Member {
  return { id: required(people, account).id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
}

function later(date: Date, minutes: number): Date {
  return new Date(date.getTime() + minutes * minuteMs)
}
