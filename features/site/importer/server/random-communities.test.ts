import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import type { Database } from '#base/server/database/database.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { runs, seed } from '#base/testing/extent.ts'
import { addFirstStaff } from '#database/seed.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { runImport } from '#importer/server/run.ts'
import type { Reader, SourceAuthor } from '#importer/server/source.ts'
import { communities } from '#importer/testing/random-community.ts'
import { aReader, type Community } from '#importer/testing/small-community.ts'
import * as wallet from '#wallet/server/wallet.ts'

const mapping = mappingSchema.parse({ points: 'p', money: { credit: 'm', centsPerUnit: 10 }, groups: {}, members: {}, language: 'en' })
const sizes = { members: 8, threads: 6, comments: 40, marks: 12 }
const perPage = fc.constantFrom(1, 2, 3, 7, 50)

async function withForum<T>(work: (forum: TestDatabase) => Promise<T>): Promise<T> {
  const forum = await freshDatabase()
  try {
    await addFirstStaff(forum.database)
    return await work(forum)
  } finally {
    await forum.close()
  }
}

const moveIn = ({ database, ownerUrl }: TestDatabase, reader: Reader) =>
  runImport({ database, ownerUrl, reader, targetOf: () => null, mapping, report: () => undefined })

async function assertSound(database: Database): Promise<void> {
  expect(await counterMismatches(database.app)).toEqual([])
  expect(await newestMismatches(database.app)).toEqual([])
  expect(await floorsWithGaps(database)).toEqual([])
  expect(await wallet.breachesIn(database, bookChecks, null)).toEqual([])
}

/** Threads whose floors are not 1, 2, 3 and so on. */
async function floorsWithGaps({ app }: Database) {
  const { rows } = await sql`
    select topic_id from comment where floor is not null group by topic_id
    having (min(floor), max(floor), count(distinct floor)) <> (1, count(*), count(*))`.execute(app)
  return rows
}

/** What a community has become, by its old ids. */
async function outcome({ app }: Database) {
  const comments = await sql`
    select old_id, floor, author_floor, status, number, reply_count, like_count,
      (select old_id from import_row as quoted where kind = 'comment' and new_id = quotes::text) as quotes
    from import_row join comment on comment.id = new_id::bigint where kind = 'comment' order by old_id`.execute(app)
  const replies = await sql`
    select its.old_id, status, like_count, above.old_id as below
    from import_row as its join reply on reply.id = its.new_id::bigint
      join import_row as above on above.kind = 'comment' and above.new_id = reply.comment_id::text
    where its.kind = 'reply' order by 1`.execute(app)
  const topics = await sql`
    select old_id, floors, author_floors, comment_count, topic.reply_count, like_count, favourite_count, last_reply_at, status
    from import_row join topic on topic.id = new_id::bigint where import_row.kind = 'thread' order by old_id`.execute(app)
  const members = await sql`
    select old_id, topic_count, comment_count, reply_count, points_earned from import_row join member on member.id = new_id::bigint
    where kind = 'member' order by old_id`.execute(app)
  const counts = await sql`
    select (select count(*) from comment) as comments, (select count(*) from member) as members, (select count(*) from message) as messages,
      (select count(*) from post_like) as likes, (select count(*) from follow) as follows, (select count(*) from poll_ballot) as ballots,
      (select coalesce(sum(unread), 0) from conversation_participant) as unread, (select count(*) from review) as reviews`.execute(app)
  return { comments: comments.rows, replies: replies.rows, topics: topics.rows, members: members.rows, counts: counts.rows }
}

test('any community in pages of any size leaves counters, newest posts, floors and books right', async () => {
  await fc.assert(
    fc.asyncProperty(communities(sizes), perPage, fc.boolean(), (community, size, hasFloors) =>
      withForum(async (forum) => {
        await moveIn(forum, aReader(community, { perPage: size, hasFloors }))
        await assertSound(forum.database)
        const before = await outcome(forum.database)
        const threads = new Set(community.threads?.flatMap(({ id, tagId }) => (tagId === 'gone' ? [] : [id])))
        const coming = community.comments?.filter(({ threadId }) => threads.has(threadId))
        expect(before.comments.length + before.replies.length).toBe(coming?.length)
        await moveIn(forum, aReader(community, { perPage: size, hasFloors, marks: () => Promise.resolve({}) }))
        expect(await outcome(forum.database)).toEqual(before)
        await assertSound(forum.database)
      }),
    ),
    { numRuns: runs(100), seed, endOnFailure: true },
  )
})

/** The rows of a first run, which refer to none that come later, and the same with all others behind them. */
function inTwo(community: Community, part: number): [first: Community, both: Community] {
  const { tags = [], members = [], threads = [], comments = [], messages = [], ...marks } = community
  const cut = <T>(rows: readonly T[] = [], isKnown: (row: T) => boolean = () => true): [readonly T[], readonly T[]] => {
    const limit = Math.floor(rows.length * part)
    const end = rows.findIndex((row, index) => index >= limit || !isKnown(row))
    return end === -1 ? [rows, []] : [rows.slice(0, end), rows.slice(end)]
  }
  const [earlyMembers, lateMembers] = cut(members)
  const late = new Set(lateMembers.map(({ id }) => id))
  const isEarly = (author: SourceAuthor) => !('memberId' in author && late.has(author.memberId))
  const [earlyThreads, lateThreads] = cut(threads, ({ opening }) => isEarly(opening.author))
  const lateThread = new Set(lateThreads.map(({ id }) => id))
  const byThread = Object.values(Object.groupBy(comments, ({ threadId }) => threadId))
  const parts = byThread.map((here) => cut(here, ({ author, threadId }) => isEarly(author) && !lateThread.has(threadId)))
  const early = parts.flatMap(([before]) => before)
  const first = { tags, members: earlyMembers, threads: earlyThreads, comments: early }
  return [first, { ...marks, messages, tags, members, threads, comments: [...early, ...parts.flatMap(([, behind]) => behind)] }]
}

test('a second run with what came since equals one run with all', async () => {
  const parts = fc.constantFrom(0, 0.3, 0.5, 0.9)
  await fc.assert(
    fc.asyncProperty(communities(sizes), perPage, perPage, parts, (community, one, other, part) =>
      withForum(async (whole) =>
        withForum(async (split) => {
          const [first, both] = inTwo(community, part)
          await moveIn(whole, aReader(community, { perPage: one, hasFloors: true }))
          await moveIn(split, aReader(first, { perPage: other, hasFloors: true }))
          await moveIn(split, aReader(both, { perPage: one, hasFloors: true }))
          await assertSound(split.database)
          expect(await outcome(split.database)).toEqual(await outcome(whole.database))
        }),
      ),
    ),
    { numRuns: runs(60), seed, endOnFailure: true },
  )
})
