import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { editRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { saveDraft } from '#draft/contract.ts'
import { appealRemoval, myRemovals } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as reports from '#report/staff-contract.ts'
import { reviewQueue, editReview } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import type { Kind } from '#kind/contract.ts'

// A word that occurs only in the content to be purged.
const word = 'Quetzalcoatlus'

let forum: Forum
let chief: Staffer
let mei: Person
let tom: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  mei = await forum.member('mei')
  tom = await forum.member('tom')
  tagId = await aTag(forum.database)
  await change({ reportCaptchaAfter: 100 })
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** The places in the database that still contain the word. */
async function placesOfTheWord(): Promise<string[]> {
  const { app } = forum.database
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app)
  const found: string[] = []
  for (const { table } of rows) {
    const result = await sql<{
      row: string
    }>`select row::text from ${sql.table(table)} as row where row::text ilike ${`%${word}%`}`.execute(app)
    found.push(...result.rows.map(({ row }) => `${table}: ${row}`))
  }
  return found
}

async function draft(who: Person, place: string): Promise<void> {
  const written = { view: 'rich' as const, doc: says(`${word}, mended`) }
  await who.call(saveDraft, { place, content: { text: written, fields: { title: word } }, writer: 'a-browser-of-theirs' })
}

/** A text that the assistant made of the thread. */
async function summarised(topicId: string): Promise<void> {
  await forum.database.app
    .insertInto('generated_text')
    .values({ hash: randomBytes(32), topic_id: topicId, text: `In short: ${word}`, is_stand_in: false })
    .execute()
}

/** Reports it and takes it away for that, and its author appeals. */
async function takenAway(kind: Kind, id: string): Promise<void> {
  await aReport(tom, id, { kind })
  const { rows } = await chief.call(reports.caseList, { size: 200 })
  const { id: caseId, version } = await chief.call(reports.caseView, {
    caseId: rows.find(({ thing }) => thing.id === id && thing.kind === kind)?.id ?? '',
  })
  await chief.call(reports.decideCase, { caseId, version, outcome: 'succeeded', removes: true, why: 'Against the law.' })
  const { removals } = await mei.call(myRemovals, {})
  await mei.call(appealRemoval, { removalId: removals[0]?.id ?? '', text: 'Why?' })
}

/** Edits by its author and by staff, and a pending one that staff edited. */
async function edited(kind: Kind, id: string): Promise<void> {
  const body = (text: string) => says(`${word} ${text}`)
  const byAuthor = (text: string) => {
    if (kind === 'topic') return mei.call(editTopic, { topicId: id, title: `${word} ${text}`, body: body(text) })
    return mei.call(editRemark, { kind, id, body: body(text) })
  }
  await byAuthor('once more')
  const mended = { version: 2, body: body('by staff') }
  if (kind === 'topic') await chief.call(content.editTopicAsStaff, { topicId: id, title: `${word} of staff`, ...mended })
  else await chief.call(content.editRemarkAsStaff, { kind, id, ...mended })
  await change({ reviewTopics: 'everybody', reviewComments: 'everybody', reviewReplies: 'everybody' })
  await byAuthor('and again')
  await change({ reviewTopics: 'nobody', reviewComments: 'nobody', reviewReplies: 'nobody' })
  const { rows } = await chief.call(reviewQueue, { size: 200 })
  const waits = rows.find((row) => row.postId === id && row.kind === kind)
  await chief.call(editReview, { reviewId: waits?.id ?? '', version: waits?.version ?? 0, body: body('in the queue') })
  await draft(mei, `edit ${kind} ${id}`)
}

test('a purged topic is gone from the whole database, with all its comments', async () => {
  const topicId = await aTopic(mei, tagId, { title: `About the ${word}`, body: says(`The ${word} flies`) })
  const commentId = await aComment(mei, topicId, { body: says(`${word} one`) })
  const replyId = await aReply(mei, commentId, { body: says(`${word} two`) })
  await edited('reply', replyId)
  await edited('comment', commentId)
  await edited('topic', topicId)
  await draft(tom, `comment ${topicId}`)
  await takenAway('reply', replyId)
  await takenAway('comment', commentId)
  await takenAway('topic', topicId)
  await summarised(topicId)
  expect((await placesOfTheWord()).length).toBeGreaterThan(10)
  await chief.call(content.purgeTopic, { topicId })
  // The search index follows a moment later.
  await expect.poll(placesOfTheWord).toEqual([])
})

test('a purged comment or reply is gone from the whole database', async () => {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(mei, topicId, { body: says(`${word} one`) })
  const replyId = await aReply(mei, commentId, { body: says(`${word} two`) })
  for (const [kind, id] of [
    ['reply', replyId],
    ['comment', commentId],
  ] as const) {
    await edited(kind, id)
    await takenAway(kind, id)
    await summarised(topicId)
    await chief.call(content.purgeRemark, { kind, id })
  }
  // The search index follows a moment later.
  await expect.poll(placesOfTheWord).toEqual([])
})
