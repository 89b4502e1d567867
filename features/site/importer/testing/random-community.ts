import fc from 'fast-check'
import type { SourceAuthor, SourceComment, SourceMember, SourceState, SourceThread } from '#importer/server/source.ts'
import { aSourceComment, aSourceMember, aSourceThread, bodyOf, twoTags, type Community } from '#importer/testing/small-community.ts'

export type Sizes = { members: number; threads: number; comments: number; marks: number }

/** Names of which many are the same but for case, width or accents, and some are none. */
const names = ['Ann', 'ann', 'ANN', 'Ａnn', 'Ann-2', 'Guest', '老陈', 'Zoë', 'ZOË', 'Mei', '\u200b', '', 'O\u2019Neil']
const states: fc.Arbitrary<SourceState> = fc.constantFrom('published', 'published', 'published', 'deleted', 'pending')
const none = fc.constant(null)

/** Communities of about these sizes. Each post is written at a time of its own, and refers to members and posts that were there before it. */
export function communities({ members, threads, comments, marks }: Sizes): fc.Arbitrary<Community> {
  const memberId = fc.integer({ min: 1, max: members + 2 }).map(String)
  const threadId = fc.integer({ min: 1, max: threads + 1 }).map(String)
  const postId = fc.oneof(
    fc.integer({ min: 1, max: comments + 1 }).map(commentId),
    threadId.map((id) => `opening-${id}`),
  )
  return fc
    .record({
      members: fc.array(member(), { minLength: members, maxLength: members }),
      threads: fc.array(thread(members), { minLength: threads, maxLength: threads }),
      comments: fc.array(comment({ members, threads, comments }), { minLength: comments, maxLength: comments }),
      likes: fc.array(fc.record({ postId, memberId, at: none }), { maxLength: marks }),
      favourites: fc.array(fc.record({ threadId, memberId, at: none }), { maxLength: marks }),
      votes: fc.array(fc.record({ threadId, memberId, optionIds: fc.subarray(['a', 'b'], { minLength: 1 }), at: none }), {
        maxLength: marks,
      }),
      accepted: fc.array(fc.record({ threadId, acceptedId: fc.integer({ min: 1, max: comments + 1 }).map(commentId) }), {
        maxLength: marks,
      }),
      unlocks: fc.array(fc.record({ threadId, memberId }), { maxLength: marks }),
      readPositions: fc.array(fc.record({ threadId, memberId, number: fc.nat(20), at: none }), { maxLength: marks }),
      follows: fc.array(follow(threadId, memberId), { maxLength: marks }),
      messages: fc.array(message(memberId), { maxLength: marks }),
    })
    .map((its) => ({
      ...its,
      tags: twoTags ?? [],
      members: its.members.map((one, index): SourceMember => aSourceMember(String(index + 1), one.name, one)),
      threads: its.threads.map((one, index) => one(String(index + 1), index)),
      comments: inThreads(its.comments.map((one, index) => one(index))),
      messages: its.messages.map((one, index) => ({ ...one, id: String(index + 1), sentAt: timeOf(0, index) })),
    }))
}

const commentId = (number: number) => `c${number}`

/** A time that no other post has, a random number of minutes on. */
function timeOf(minutes: number, index: number): Date {
  return new Date(Date.UTC(2021, 0, 1, 0, minutes) + index)
}

function member() {
  return fc.record({
    name: fc.constantFrom(...names),
    email: fc.option(fc.constantFrom('a@example.org', 'A@example.org', 'no address').map((address) => ({ address, isConfirmed: true }))),
    credits: fc.record({ p: fc.bigInt(-50n, 200n), m: fc.bigInt(-3n, 9n) }),
    bans: fc.subarray([
      { from: 'logging in' as const, reason: '', until: null },
      { from: 'posting' as const, reason: 'Loud', until: null },
    ]),
  })
}

/** A member, one who is gone by the name that the post has or without one, or a guest. */
function author(members: number): fc.Arbitrary<SourceAuthor> {
  const known = fc.integer({ min: 1, max: members }).map((id) => ({ memberId: String(id) }))
  const gone = fc.constantFrom(...names).map((name) => ({ memberId: 'gone', name }))
  const guest = fc.constantFrom(...names).map((guestName) => ({ guestName }))
  return fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: gone }, { weight: 1, arbitrary: guest })
}

type Hidden = { type: 'hidden'; attrs: { lock: 'points'; value: string }; content: { type: 'paragraph' }[] }
const hidden: Hidden = { type: 'hidden', attrs: { lock: 'points', value: '5' }, content: [{ type: 'paragraph' }] }

function body(members: number) {
  const mention = fc
    .oneof(
      fc.integer({ min: 1, max: members + 1 }).map((id) => `member/${id}`),
      fc.constantFrom(...names).map((name) => `name/${name}`),
    )
    .map((id) => bodyOf({ type: 'paragraph', content: [{ type: 'mention', attrs: { id: `import:${id}`, label: 'somebody' } }] }))
  return fc.oneof(fc.constant(bodyOf('words')), fc.constant(bodyOf('open', hidden)), mention)
}

function thread(members: number): fc.Arbitrary<(id: string, index: number) => SourceThread> {
  return fc
    .record({
      its: fc.record({
        tagId: fc.constantFrom('1', '2', '2', '2', 'gone'),
        kind: fc.constantFrom('topic', 'question'),
        pin: fc.constantFrom(0, 0, 1, 2),
        isLocked: fc.boolean(),
        tags: fc.subarray(['春', 'spring']),
        poll: fc.option(fc.constant(poll)),
      }),
      opening: fc.record({ author: author(members), state: states, body: body(members) }),
      minutes: fc.nat(1_000),
    })
    .map(
      ({ its, opening, minutes }) =>
        (id, index) =>
          aSourceThread(id, its, { ...opening, publishedAt: timeOf(minutes, index) }),
    )
}

const poll = {
  title: 'Which?',
  options: [
    { id: 'a', label: 'Green' },
    { id: 'b', label: 'Green' },
  ],
  maxChoices: 2,
  isPublic: false,
  showsResults: 'always' as const,
  endsAt: null,
}

type Before = Pick<Sizes, 'members' | 'threads' | 'comments'>

function comment({ members, threads, comments }: Before): fc.Arbitrary<(index: number) => SourceComment & { gap: number }> {
  const earlier = fc.option(fc.nat(comments), { freq: 2 })
  return fc
    .record({
      threadId: fc.integer({ min: 1, max: threads + 1 }).map(String),
      author: author(members),
      body: body(members),
      state: states,
      minutes: fc.integer({ min: 1_000, max: 2_000 }),
      gap: fc.constantFrom(0, 0, 0, 1, 3),
      answers: earlier,
      below: earlier,
    })
    .map(({ threadId, minutes, answers, below, ...its }) => (index) => ({
      ...aSourceComment(commentId(index + 1), threadId, 0, its),
      publishedAt: timeOf(minutes, 10_000 + index),
      answersId: answers === null ? null : commentId(answers % (index + 1)),
      belowId: below === null ? null : commentId(below % (index + 1)),
      gap: its.gap,
    }))
}

/** Comments thread by thread with their numbers, which count on over gaps. */
function inThreads(all: readonly (SourceComment & { gap: number })[]): SourceComment[] {
  const byThread = Map.groupBy(all, ({ threadId }) => threadId)
  return [...byThread.values()].flatMap((here) => {
    let number = 1
    return here.map(({ gap, ...one }) => ({ ...one, number: (number += 1 + gap) }))
  })
}

function follow(threadId: fc.Arbitrary<string>, memberId: fc.Arbitrary<string>) {
  const level = fc.constantFrom('watching' as const, 'tracking' as const, 'muted' as const)
  return fc.oneof(
    fc.record({ of: fc.constant('thread' as const), id: threadId, memberId, level, at: none }),
    fc.record({ of: fc.constant('member' as const), id: memberId, memberId, level, at: none }),
    fc.record({ of: fc.constant('tag' as const), id: fc.constantFrom('1', '2'), memberId, level, at: none }),
  )
}

function message(memberId: fc.Arbitrary<string>) {
  return fc.record({
    authorId: memberId,
    readerIds: fc.array(memberId, { maxLength: 3 }),
    title: fc.constantFrom('', 'Hello'),
    body: fc.constant(bodyOf('secret')),
    isRead: fc.boolean(),
  })
}
