import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { queriesFor, type KnownValues } from '#base/testing/crawl.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as comment from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { removeRemarkAsStaff } from '#content/contract.ts'
import { removePostscript } from '#content/postscript-contract.ts'
import { saveDraft, oneDraft } from '#draft/contract.ts'
import { addFavourite } from '#favourite/contract.ts'
import { hides, seenBy } from '#hidden-part/testing/factories.ts'
import { leave } from '#leaving/contract.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { addLike } from '#like/contract.ts'
import { report as reportMessage } from '#message/contract.ts'
import { aMessage, talking } from '#message/testing/factories.ts'
import { decideMessageReport, messageReportList } from '#message/staff-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { addPostscript } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { applyRenames } from '#rename/server/rename.ts'
import { appealRemoval, myRemovals } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as review from '#review/contract.ts'
import { search } from '#search/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { documentWith, mention, paragraph } from '#writing/testing/factories.ts'

// Each of these occurs nowhere else.
const names = { account: 'zqaccountname', old: 'zqold 老名', now: 'zqnow 新名' }
const canary = /zq(?:account|old|now)/

let forum: Forum
let bo: Person
let mei: Person
let tom: Person
let chief: Staffer
let tagId: string
let known: KnownValues
let topicIds: string[]

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** A post that mentions Bo in its first words. */
const greets = (words: string, ...more: Block[]): Doc =>
  documentWith(paragraph(mention(bo.id), { type: 'text', text: ` ${words}` }), ...more)

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  await change({ formerNameShownDays: 0, nicknameChangeIntervalDays: 0, reportCaptchaAfter: 100 })
  ;[bo, mei, tom] = [await forum.member(names.account), await forum.member(), await forum.member()]
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await called(names.old)
  topicIds = await plant()
  known = await knownNow()
}, 240_000)

const called = (nickname: string) => bo.call(editProfile, { nickname, showsActivity: true })

async function plant(): Promise<string[]> {
  const parts = [hides('comment', '', paragraph(mention(bo.id))), hides('password', 'zqsesame', paragraph(mention(bo.id)))]
  const first = await aTopic(mei, tagId, { title: 'A topic that greets', body: greets('good day', ...parts) })
  const commentId = await aComment(tom, first, { body: greets('well said') })
  await aReply(mei, commentId, { body: greets('indeed') })
  await aComment(mei, first, { body: greets('as you said'), quotes: commentId })
  await edits(first)
  await mei.call(comment.editRemark, { kind: 'comment', id: await aComment(mei, first, { body: greets('sooner') }), body: greets('later') })
  const question = await aQuestion(mei, tagId, { title: 'A question that greets', body: greets('do you know?') })
  await mei.call(addPostscript, { questionId: question, body: greets('one thing more') })
  await mei.call(addPostscript, { questionId: question, body: greets('and another') })
  await chief.call(removePostscript, { topicId: question, number: 2, reason: 'Enough' })
  await aComment(tom, question, { body: greets('I do') })
  await mei.call(addFavourite, { topicId: first })
  await mei.call(addLike, { kind: 'comment', id: commentId })
  await aReport(tom, first, { kind: 'topic' })
  await removed(first)
  await waits(first)
  await drafted()
  await spokenOf()
  return [first, question]
}

/** Versions of a topic, and of its hidden parts. */
async function edits(topicId: string): Promise<void> {
  const { body } = await mei.call(topic.editableTopic, { topicId })
  const other = JSON.parse(JSON.stringify(body).replaceAll('good day', 'good evening')) as Doc
  await mei.call(topic.editTopic, { topicId, title: 'A topic that greets', body: other })
}

/** A post that staff removed, whose author is notified and appeals. */
async function removed(topicId: string): Promise<void> {
  const commentId = await aComment(mei, topicId, { body: greets('this goes') })
  await aReport(tom, commentId)
  await chief.call(removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'It insults others.' })
  const { removals } = await mei.call(myRemovals, {})
  await mei.call(appealRemoval, { removalId: removals[0]?.id ?? '', text: 'It does not.' })
}

/** Posts that wait for review, or were rejected and approved. */
async function waits(topicId: string): Promise<void> {
  await change({ reviewComments: 'everybody', reviewTopics: 'everybody' })
  for (const one of ['waiting', 'rejected', 'approved']) await aComment(mei, topicId, { body: greets(`${one} comment`) })
  await mei.call(topic.editTopic, {
    topicId,
    title: 'A topic that greets',
    body: greets('waiting edit', hides('comment', '', paragraph(mention(bo.id)))),
  })
  const { rows } = await chief.call(review.reviewQueue, { size: 200 })
  const [, rejected, approved] = rows.filter(({ kind }) => kind === 'comment').toSorted((one, other) => Number(one.id) - Number(other.id))
  if (rejected) await chief.call(review.rejectReview, { reviewId: rejected.id, version: rejected.version, reasonEn: 'Not so.' })
  if (approved) await chief.call(review.approveReview, { reviewId: approved.id, version: approved.version })
  await change({ reviewComments: 'nobody', reviewTopics: 'nobody' })
}

async function drafted(): Promise<void> {
  const writer = 'a-browser-of-hers'
  const markdown = String.raw`Dear @[zqold\<b\>](member:${bo.id}), @[tom](member:${tom.id})!`
  await mei.call(saveDraft, { place: 'topic', content: { text: { view: 'markdown', text: markdown }, fields: {} }, writer })
  await mei.call(saveDraft, { place: 'question', content: { text: { view: 'rich', doc: greets('a draft') }, fields: {} }, writer })
}

/** A private message of Bo's that was reported, whose reporter is notified. */
async function spokenOf(): Promise<void> {
  await talking(bo, tom)
  await tom.call(reportMessage, { messageId: await aMessage(bo, tom, 'Unkind words'), reason: 'Unkind' })
  const [row] = (await chief.call(messageReportList, {})).rows
  await chief.call(decideMessageReport, { reportId: row?.id ?? '', outcome: 'upheld' })
}

async function knownNow(): Promise<KnownValues> {
  const tables = ['comment', 'review', 'report', 'report_case', 'reply', 'removal', 'message_report'] as const
  const ids = await Promise.all(
    tables.map(async (table) => (await forum.database.app.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)),
  )
  const [commentId = [], reviewId = [], reportId = [], caseId = [], replyId = [], removalId = []] = ids
  return {
    commentId,
    reviewId,
    reportId,
    caseId,
    replyId,
    removalId,
    tagId: [tagId],
    topicId: topicIds,
    questionId: topicIds,
    id: [...topicIds, ...commentId],
    thingId: [...topicIds, ...commentId],
    userId: [mei.id, bo.id],
    memberId: [mei.id, bo.id],
    place: ['topic', 'question'],
    q: ['good'],
    keyword: ['good', 'well'],
  }
}

/** Every response of the API and every page that contains a forbidden name. */
async function answersWith(name: RegExp, keepsNames: ReadonlySet<string> = log): Promise<string[]> {
  const found: string[] = []
  const people: [string, Visitor, boolean][] = [
    ['a visitor', forum.visitor(), false],
    ['the author', mei, false],
    ['another', tom, false],
    ['staff', chief, true],
  ]
  for (const { endpoint } of routes.filter(({ endpoint }) => endpoint.method === 'GET' && !keepsNames.has(endpoint.path)))
    for (const [who, person, asksStaff] of people) {
      if (asksStaff !== endpoint.path.startsWith('/admin/')) continue
      for (const query of queriesFor(endpoint, known).slice(0, 40)) {
        const url = `/api${endpoint.path}?${query}`
        const answer = await forum.app.inject({ url, remoteAddress: person.ip, headers: person.headers('GET') })
        if (name.test(answer.body)) found.push(`${who}: ${url}: ${about(name, answer.body)}`)
      }
    }
  const { addresses } = await import('#apps/web/server.tsx')
  const queries = topicIds.map((id) => `?topicId=${id}&questionId=${id}&tagId=${tagId}&userId=${mei.id}&q=good&keyword=good`)
  const paths = addresses.flatMap(({ path }) => [
    path,
    ...queries.map((query) => path + query),
    ...topicIds.map((id) => `${path}?topicId=${id}`),
  ])
  for (const url of [...paths, '/feed', `/feed?tagId=${tagId}`, `/feed?userId=${mei.id}`, '/llms.txt', '/sitemap.xml'])
    for (const language of ['zh-CN', 'en-US']) {
      const answer = await forum.app.inject({ url, headers: { 'accept-language': language } })
      if (name.test(answer.body)) found.push(`${url}: ${about(name, answer.body)}`)
    }
  return found
}

const about = (name: RegExp, text: string) => text.slice(Math.max(0, text.search(name) - 80), text.search(name) + 40)

// The audit log, and the former names of members whose account is open.
const log = new Set(['/admin/audit/list'])
const staffKnow = new Set([...log, '/admin/member/view'])

/** Stored texts that hold a name. */
async function storedTextsWith(name: RegExp): Promise<string[]> {
  const { rows } = await sql<{ schema: string; table: string }>`
    select nspname as schema, relname as table from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'm') and nspname in ('public', 'hidden', 'ledger', 'jobs')`.execute(forum.database.app)
  const found: string[] = []
  for (const { schema, table } of rows) {
    const matches = await owner<{ row: string }>(`select row::text from ${schema}."${table}" as row where row::text ~ '${name.source}'`)
    found.push(...matches.map(({ row }) => `${schema}.${table}: ${about(name, row)}`))
  }
  return found
}

// The program's own roles may not read the hidden columns.
async function owner<Row extends object>(statement: string): Promise<Row[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: forum.ownerUrl })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

async function texts(): Promise<void> {
  await applyRenames(forum.database)
  await expect.poll(async () => (await forum.database.app.selectFrom('search_change').select('number').execute()).length).toBe(0)
}

const found = async (keyword: string) => (await forum.visitor().call(search, { keyword })).hits.length

describe('a member takes another name', () => {
  test('which all read in the place of the old one, and by which the posts are found', async () => {
    expect((await answersWith(/zqold/, staffKnow)).length).toBeGreaterThan(30)
    expect(await found('zqold')).toBeGreaterThan(3)
    await called(names.now)
    await texts()
    expect(await answersWith(/zqold/, staffKnow)).toEqual([])
    expect((await answersWith(/zqnow/)).length).toBeGreaterThan(30)
    expect(await found('zqold')).toBe(0)
    expect(await found('zqnow')).toBeGreaterThan(3)
    expect((await storedTextsWith(/zqold/)).filter((one) => !/^public\.(former_name|audit_log):/.test(one))).toEqual([])
  })

  test('which stands in the drafts of others, and in their notifications', async () => {
    const [topicId = ''] = topicIds
    const { body } = await mei.call(topic.editableTopic, { topicId })
    expect(JSON.stringify(body)).toContain(JSON.stringify(mention(bo.id, names.now)))
    expect(await seenBy(mei, topicId)).toContain(`>@${names.now}</a>`)
    const { draft } = await mei.call(oneDraft, { place: 'topic' })
    expect(draft?.content.text).toMatchObject({ text: `Dear @[${names.now}](member:${bo.id}), @[tom](member:${tom.id})!` })
    expect((await noticesOf(tom)).map(({ says }) => says)).toContainEqual(
      expect.objectContaining({ kind: 'messageReportDecided', name: names.now }),
    )
  })

  test('and nothing else in these posts changes, nor is any marked as edited', async () => {
    const before = await versions()
    await called(names.old)
    await texts()
    await called(names.now)
    await texts()
    expect(await versions()).toEqual(before)
  })
})

/** The versions of posts, apart from the names. */
async function versions(): Promise<unknown> {
  return owner(`select id, version, edited_at, title, body, segments, summary from topic order by id`)
}

test('a rename during the writing of a post about the member is applied once the post is there', async () => {
  await called('zqnowbefore')
  await applyRenames(forum.database)
  // A transaction that read the old name before the change.
  const late = await aTopic(tom, tagId, { body: greets('late') })
  await sql`update topic set summary = '@zqold late', body = replace(body::text, 'zqnowbefore', 'zqold')::jsonb where id = ${late}`.execute(
    forum.database.app,
  )
  await sql`update rename set renamed_at = renamed_at - interval '5 minutes'`.execute(forum.database.app)
  await applyRenames(forum.database)
  expect(await forum.database.app.selectFrom('topic').select('summary').where('id', '=', late).execute()).toEqual([
    { summary: '@zqnowbefore late' },
  ])
  expect(await forum.database.app.selectFrom('rename').selectAll().execute()).toEqual([])
})

// Names that stay: reserved former names, the append-only audit log, and texts that others typed.
const forLater = /^public\.(former_name|audit_log):/

test('an erased member is named nowhere, in no answer and in no text of the database', async () => {
  await bo.call(leave, { way: 'erase', givesUp: true })
  await sql`update account_deletion set erase_at = now() - interval '1 minute'`.execute(forum.database.app)
  await eraseDue(forum.database)
  await texts()
  expect(await answersWith(canary)).toEqual([])
  expect(await found('zqnow')).toBe(0)
  expect((await answersWith(new RegExp(`@~${bo.id}`))).length).toBeGreaterThan(30)
  expect((await storedTextsWith(canary)).filter((one) => !forLater.test(one))).toEqual([])
})
