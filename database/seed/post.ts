import { sql } from 'kysely'
import * as comments from '#comment/server/comment.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { SampleComment, SampleReply, SampleTopic } from '#database/sample/topic-file.ts'
import type { Sample } from '#database/sample/read.ts'
import { documentFrom, type People } from '#database/seed/document.ts'
import { found } from '#database/seed/found.ts'
import { keyOf, picturesIn, type Pictures, type Post } from '#database/seed/picture.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import { heatOf } from '#post/server/post.ts'
import * as topics from '#topic/server/publish.ts'

/** All that the database is not needed for. */
export type Seeds = {
  sample: Sample
  pictures: Pictures
  tagPictures: Pictures
  passwordHash: string
  terms: { zh: string; en: string }
  now: Date
}

type Ground = { tx: Db; seeds: Seeds; people: People; tags: ReadonlyMap<string, string>; uploaded: Set<string> }
/** Something that happened in the forum's past. */
type Deed = { at: Date; happen(): Promise<void> }

const minuteMs = 60_000
const dayMs = 86_400_000
const dayInMinutes = 24 * 60

/** Lets everything be said again in the order in which it was said, by the features' own rules. */
export async function post(tx: Db, seeds: Seeds, people: People, tags: ReadonlyMap<string, string>): Promise<void> {
  const ground = { tx, seeds, people, tags, uploaded: new Set<string>() }
  const deeds = seeds.sample.topics.flatMap((topic) => deedsOf(topic, ground))
  for (const { happen } of deeds.toSorted((one, other) => one.at.getTime() - other.at.getTime())) await happen()
}

type Said = { id: string; replies: { author: string; id: string }[] }
/** A topic as it comes to be: the ids of what has been said so far, comments by their place. */
type Thread = { id: string; opened: Date; comments: Said[] }

function deedsOf(topic: SampleTopic, ground: Ground): Deed[] {
  const opened = new Date(ground.seeds.now.getTime() - topic.daysAgo * dayMs)
  const thread: Thread = { id: '', opened, comments: topic.comments.map(() => ({ id: '', replies: [] })) }
  return [
    { at: opened, happen: () => publish(thread, topic, ground) },
    ...topic.comments.flatMap((comment, index) => deedsUnder(thread, comment, thread.comments[index], ground)),
  ]
}

function deedsUnder(thread: Thread, comment: SampleComment, said: Said = { id: '', replies: [] }, ground: Ground): Deed[] {
  const at = later(thread.opened, comment.minutesAfterTopic)
  const answers = comment.replies.map((reply) => {
    const replied = later(at, reply.minutesAfterComment)
    return { at: replied, happen: () => answer(said, reply, replied, ground) }
  })
  return [{ at, happen: () => remark(thread, said, comment, at, ground) }, ...answers]
}

async function publish(thread: Thread, topic: SampleTopic, ground: Ground): Promise<void> {
  const { tx, seeds, people, tags } = ground
  const body = await write(topic, ground)
  const draft = { tagId: found(tags, topic.tag), title: topic.title, body }
  const { topicId } = await topics.publish(tx, speaker(people, topic.author), draft, { at: thread.opened })
  thread.id = topicId
  const featured = new Date(Math.min(later(thread.opened, dayInMinutes).getTime(), seeds.now.getTime()))
  await tx
    .updateTable('topic')
    .set({
      view_count: topic.views,
      pin: topic.pinned ? 1 : 0,
      featured_at: topic.featured ? featured : null,
      heat: heatOf(await setting.all(tx), sql`0`, sql`${topic.views}::int`),
    })
    .where('id', '=', topicId)
    .execute()
}

async function remark(thread: Thread, said: Said, comment: SampleComment, at: Date, ground: Ground): Promise<void> {
  const quotes = comment.quotesFloor === undefined ? undefined : thread.comments[comment.quotesFloor - 1]?.id
  const place = { kind: 'comment', thread: 'topic', under: thread.id, refersTo: quotes } as const
  const draft = { ...place, body: await write(comment, ground) }
  said.id = (await comments.add(ground.tx, speaker(ground.people, comment.author), draft, { at })).id
}

async function answer(said: Said, reply: SampleReply, at: Date, ground: Ground): Promise<void> {
  const answers = said.replies.findLast((one) => one.author === reply.answers)?.id
  const place = { kind: 'reply', thread: 'topic', under: said.id, refersTo: answers } as const
  const draft = { ...place, body: await write(reply, ground) }
  const { id } = await comments.add(ground.tx, speaker(ground.people, reply.author), draft, { at })
  said.replies.push({ author: reply.author, id })
}

/** A post as a document, its pictures uploaded by its author. */
async function write(post: Post, { tx, seeds, people, uploaded }: Ground): Promise<Doc> {
  const pictures = new Map<string, file.Kept>()
  for (const name of picturesIn(post)) {
    const kept = await found(seeds.pictures, keyOf(post, name))
    if (!uploaded.has(kept.id)) await file.add(tx, found(people, post.author).id, kept)
    uploaded.add(kept.id)
    pictures.set(name, kept)
  }
  return documentFrom(post.body, pictures, people)
}

// What a role lets them do now says nothing of then.
function speaker(people: People, account: string): Member {
  return { id: found(people, account).id, sessionId: '', sees: '', may: () => true, where: () => ({ except: [] }) }
}

function later(date: Date, minutes: number): Date {
  return new Date(date.getTime() + minutes * minuteMs)
}
