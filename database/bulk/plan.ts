import { at, random, zipf, type Random } from '#database/bulk/random.ts'

/**
 * The structure of all posts before their texts are generated. Members, topics, comments and replies are numbered from 0; times go from 0,
 * when the forum opened, to 1, now, and rise with the numbers.
 */
export type Plan = {
  members: { topics: Int32Array; comments: Int32Array; replies: Int32Array }
  topics: {
    author: Int32Array
    tag: Int32Array
    at: Float64Array
    floors: Int32Array
    authorFloors: Int32Array
    comments: Int32Array
    /** The number of replies among them. */
    replies: Int32Array
    lastAt: Float64Array
    /** -1 if there is no comment yet. */
    lastBy: Int32Array
  }
  /** `quotes` is -1 for none, `authorFloor` is 0 for other members. */
  comments: {
    topic: Int32Array
    author: Int32Array
    at: Float64Array
    floor: Int32Array
    authorFloor: Int32Array
    quotes: Int32Array
    replies: Int32Array
  }
  replies: { comment: Int32Array; author: Int32Array; at: Float64Array; answers: Int32Array }
}

export type Size = { members: number; topics: number; comments: number; replies: number }

const none = -1
const commentsForEachReply = 5
const shareOfQuotes = 0.08
const shareOfAnswers = 0.4
const shareOfAuthors = 0.1

export function sizeFor(comments: number): Size {
  return {
    members: Math.min(50_000, Math.max(20, Math.ceil(comments / 25))),
    topics: Math.max(20, Math.ceil(comments / 20)),
    comments,
    replies: Math.floor(comments / commentsForEachReply),
  }
}

export function planFor(size: Size, tags: number): Plan {
  const chance = random(size.comments)
  const plan = blank(size)
  const author = zipf(size.members, 0.9, chance)
  openTopics(plan, author, zipf(tags, 0.7, chance))
  const newest = { comment: new Int32Array(size.topics).fill(none), reply: new Int32Array(size.topics).fill(none) }
  const topic = topicChooser(plan, chance)
  for (let index = 0; index < size.comments; index++) {
    const moment = (index + chance.next() / 2) / size.comments
    comment(plan, newest, { index, topic: topic(moment), by: author(), moment }, chance)
    if ((index + 1) % commentsForEachReply > 0) continue
    const later = (index + 0.5 + chance.next() / 2) / size.comments
    reply(plan, newest, { index: (index + 1) / commentsForEachReply - 1, topic: topic(later), by: author(), moment: later }, chance)
  }
  return plan
}

function blank({ members, topics, comments, replies }: Size): Plan {
  const ints = (length: number, filling = 0) => new Int32Array(length).fill(filling)
  return {
    members: { topics: ints(members), comments: ints(members), replies: ints(members) },
    topics: {
      author: ints(topics),
      tag: ints(topics),
      at: new Float64Array(topics),
      floors: ints(topics),
      authorFloors: ints(topics),
      comments: ints(topics),
      replies: ints(topics),
      lastAt: new Float64Array(topics),
      lastBy: ints(topics, none),
    },
    comments: {
      topic: ints(comments),
      author: ints(comments),
      at: new Float64Array(comments),
      floor: ints(comments),
      authorFloor: ints(comments),
      quotes: ints(comments, none),
      replies: ints(comments),
    },
    replies: { comment: ints(replies), author: ints(replies), at: new Float64Array(replies), answers: ints(replies, none) },
  }
}

function openTopics({ topics, members }: Plan, author: () => number, tag: () => number): void {
  for (let index = 0; index < topics.at.length; index++) {
    topics.author[index] = author()
    topics.tag[index] = tag()
    topics.at[index] = topics.lastAt[index] = index / topics.at.length
    increment(members.topics, at(topics.author, index))
  }
}

/** A few topics get most of the comments, whatever their age; a topic that is not open yet is drawn again. */
function topicChooser({ topics }: Plan, chance: Random): (moment: number) => number {
  const count = topics.at.length
  // The first topic is the most popular, so that one is open from the start.
  const byRank = chance.shuffle(Int32Array.from({ length: count }, (_, index) => index))
  byRank[byRank.indexOf(0)] = at(byRank, 0)
  byRank[0] = 0
  const rank = zipf(count, 1, chance)
  return (moment) => {
    for (let tries = 0; tries < 8; tries++) {
      const topic = at(byRank, rank())
      if (at(topics.at, topic) < moment) return topic
    }
    return chance.below(Math.ceil(moment * count))
  }
}

type Action = { index: number; topic: number; by: number; moment: number }
type Newest = { comment: Int32Array; reply: Int32Array }

function comment({ topics, comments, members }: Plan, newest: Newest, { index, topic, by, moment }: Action, chance: Random): void {
  const author = chance.next() < shareOfAuthors ? at(topics.author, topic) : by
  comments.topic[index] = topic
  comments.author[index] = author
  comments.at[index] = moment
  comments.floor[index] = increment(topics.floors, topic)
  if (author === at(topics.author, topic)) comments.authorFloor[index] = increment(topics.authorFloors, topic)
  if (chance.next() < shareOfQuotes) comments.quotes[index] = at(newest.comment, topic)
  newest.comment[topic] = index
  newest.reply[topic] = none
  increment(members.comments, author)
  bump(topics, topic, author, moment)
}

/** Replies to the newest comment of the topic, or of the first topic if it has none yet. */
function reply(
  { topics, comments, replies, members }: Plan,
  newest: Newest,
  { index, topic: preferred, by, moment }: Action,
  chance: Random,
): void {
  const topic = at(newest.comment, preferred) === none ? at(comments.topic, index * commentsForEachReply) : preferred
  const target = at(newest.comment, topic)
  replies.comment[index] = target
  replies.author[index] = by
  replies.at[index] = moment
  if (chance.next() < shareOfAnswers) replies.answers[index] = at(newest.reply, topic)
  newest.reply[topic] = index
  increment(comments.replies, target)
  increment(topics.replies, topic)
  increment(members.replies, by)
  bump(topics, topic, by, moment)
}

function bump(topics: Plan['topics'], topic: number, by: number, moment: number): void {
  increment(topics.comments, topic)
  topics.lastAt[topic] = moment
  topics.lastBy[topic] = by
}

function increment(counts: Int32Array, index: number): number {
  const count = at(counts, index) + 1
  counts[index] = count
  return count
}
