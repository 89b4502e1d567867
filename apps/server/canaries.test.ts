import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { queriesFor, type KnownValues } from '#base/testing/crawl.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { locks, type Block, type Lock } from '#base/rich-text/document.ts'
import { eventListener } from '#base/testing/listen.ts'
import { streams } from '#comment/server/streams.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { askTopic } from '#content/contract.ts'
import { saveDraft } from '#draft/contract.ts'
import * as file from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as hidden from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { aCard, aCoupon, buys } from '#membership/testing/factories.ts'
import { aConversation } from '#assistant/testing/factories.ts'
import { paidTopUp, withSandbox } from '#payment/testing/factories.ts'
import { aPoll } from '#poll/testing/factories.ts'
import { aReport } from '#report/testing/factories.ts'
import { search } from '#search/contract.ts'
import { staffRights } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

// Each canary is a unique word whose name tells where it was planted.
const canary = /zq(?:password|comment|level|points|balance|sesame|code|long|former|earlier|taken|removed|pending|waiting|draft|asks)[a-z]*/g
// The length of one part alone.
const length = 7919

type Planted = { files: string[]; topicIds: string[]; optionIds: string[]; ids: string[] }

let forum: Forum
let mei: Person
let tom: Person
let helper: Staffer
let tagId: string
let known: KnownValues
let planted: Planted
const keyed = new Map<Lock, Person>()

const cardsOf = (topicIds: readonly string[]) => topicIds.flatMap((id) => [`/share/${id}.png`, `/share/${id}/card.png`])
const values = { password: 'zqsesame', comment: '', level: '100', points: '5', balance: '500' }
let keys = 0
const aKey = () => ({ 'idempotency-key': `a-key-for-number-${++keys}` })

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function aPicture(): Promise<string> {
  const answer = await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })
  return String(/f_[\w-]+/.exec(answer.json().src)?.[0])
}

async function anAttachment(name: string): Promise<string> {
  const { file: id, url, headers } = await mei.call(file.beginUpload, { kind: 'attachment', name, bytes: 8 })
  await forum.app.inject({ method: 'PUT', url, headers, payload: Buffer.from('A secret') })
  await mei.call(file.finishUpload, { file: id })
  return id
}

/** A hidden part with one of everything it may contain. */
async function aPart(lock: Lock, files: string[]): Promise<Block> {
  const [picture, attachment] = [await aPicture(), await anAttachment(`zq${lock}name.txt`)]
  files.push(picture, attachment)
  const inside: Block[] = [
    paragraph({ type: 'text', text: `zq${lock}words ` }, { type: 'mention', attrs: { id: tom.id, label: `zq${lock}label` } }),
    paragraph({
      type: 'text',
      text: `zq${lock}text`,
      marks: [{ type: 'link', attrs: { href: `https://zq${lock}link.example`, title: `zq${lock}title` } }],
    }),
    { type: 'codeBlock', attrs: { language: 'zqcode' }, content: [{ type: 'text', text: `zq${lock}code` }] },
    { type: 'image', attrs: { file: picture, alt: `zq${lock}alt`, width: 60, height: 40 } },
    { type: 'file', attrs: { file: attachment, name: `zq${lock}name.txt`, bytes: 8 } },
    { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph({ type: 'text', text: `zq${lock}item` })] }] },
  ]
  return hides(lock, values[lock], ...inside)
}

const open: Block = paragraph({ type: 'text', text: 'Open to all who come.' })

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  await withSandbox(forum)
  mei = await forum.member()
  tom = await forum.member()
  helper = await aStaffer(
    forum,
    staffRights.filter((right) => right !== 'content.seeHidden'),
  )
  tagId = await aTag(forum.database)
  values.level = (await mei.call(hidden.hiddenForm, {})).levels[1]?.needs ?? ''
  planted = await plant()
  const [topicId = ''] = planted.topicIds
  for (const lock of locks) keyed.set(lock, await withTheKeyTo(lock, topicId))
  known = await knownNow(topicId)
})

async function plant(): Promise<Planted> {
  const files: string[] = []
  const parts: Block[] = []
  for (const lock of locks) parts.push(await aPart(lock, files))
  const long = hides('password', 'zqlong', 'x'.repeat(length))
  const first = await aTopic(mei, tagId, { title: 'A topic with parts', body: documentWith(open, ...parts, long) })
  const second = await aTopic(mei, tagId, { title: 'Another topic', body: says('zqformer was here for all to read.') })
  // Earlier versions with a hidden part and with open text, and a removed part.
  await edit(second, documentWith(open, hides('points', '7', 'zqformer is hidden now'), hides('points', '7', 'zqtaken')))
  const { body } = await mei.call(topic.editableTopic, { topicId: second })
  await edit(
    second,
    JSON.parse(JSON.stringify({ ...body, content: body.content.slice(0, 2) }).replace('zqformer is', 'zqearlier zqformer is')),
  )
  await edit(second, JSON.parse(JSON.stringify({ ...body, content: body.content.slice(0, 2) })))
  const removed = await aTopic(mei, tagId, { title: 'A topic that went', body: documentWith(open, hides('comment', '', 'zqremoved')) })
  await aComment(tom, removed)
  await mei.call(topic.removeTopic, { topicId: removed })
  await change({ reviewTopics: 'everybody' })
  const pending = await aTopic(mei, tagId, { title: 'A topic that waits', body: documentWith(open, hides('comment', '', 'zqpending')) })
  await edit(second, documentWith(open, hides('points', '7', 'zqwaiting')))
  await change({ reviewTopics: 'nobody' })
  await mei.call(saveDraft, {
    place: `edit topic ${first}`,
    content: { text: { view: 'rich', doc: documentWith(open, hides('comment', '', 'zqdraft')) }, fields: {} },
    writer: 'a-browser-of-hers',
  })
  await aReply(mei, await aComment(mei, first))
  await aReport(tom, first, { kind: 'topic' })
  // It becomes a question, with all its hidden parts.
  const asks = await aTopic(mei, tagId, { title: 'A topic that asks', body: documentWith(open, hides('comment', '', 'zqasks')) })
  await helper.call(askTopic, { topicId: asks, reason: '' })
  const { segments } = await forum.visitor().call(topic.thread, { topicId: first })
  const polled = await aPoll(tom, tagId, { isPublic: true })
  const topicIds = [first, second, removed, pending, asks, polled.topicId]
  return { files, topicIds, optionIds: polled.optionIds, ids: partIds(segments) }
}

const edit = (topicId: string, body: Parameters<typeof documentOf>[0]) =>
  mei.call(topic.editTopic, { topicId, title: 'Another topic', body: documentOf(body) })
const documentOf = (body: ReturnType<typeof documentWith>) => body

async function withTheKeyTo(lock: Lock, topicId: string): Promise<Person> {
  const who = await forum.member()
  const partId = planted.ids[locks.indexOf(lock)] ?? ''
  if (lock === 'password') await who.call(hidden.unlockPart, { partId, password: values.password })
  if (lock === 'comment') await aComment(who, topicId)
  if (lock === 'level') await endow(forum.database, who.id, Number(values.level))
  if (lock === 'points') await endow(forum.database, who.id, Number(values.points))
  if (lock === 'balance') await endow(forum.database, who.id, 1000, 'cny')
  if (lock === 'points' || lock === 'balance') await who.call(hidden.buyPart, { partId, price: values[lock] }, aKey())
  return who
}

async function idsFrom(table: 'comment' | 'review' | 'report' | 'report_case' | 'reply' | 'payment_event'): Promise<string[]> {
  const rows = await forum.database.app.selectFrom(table).select('id').orderBy('id').limit(3).execute()
  return rows.map(({ id }) => id)
}

async function knownNow(topicId: string): Promise<KnownValues> {
  const { cardId, ids: specificationId } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 5 }])
  await aCoupon(forum.database, 'SPRING', 10)
  await endow(forum.database, tom.id, 5)
  const { body: bought } = await buys(tom, specificationId[0] ?? '', { points: '5' })
  const { id: couponId } = await forum.database.app.selectFrom('membership_coupon').select('id').executeTakeFirstOrThrow()
  const [comments, reviews, reports, cases, replies] = await Promise.all(
    (['comment', 'review', 'report', 'report_case', 'reply'] as const).map(idsFrom),
  )
  return {
    number: [await paidTopUp(forum, mei, '12.50')],
    eventId: await idsFrom('payment_event'),
    envelopeId: [await anEnvelope()],
    conversationId: [await aConversation(forum.database, mei.id)],
    topicId: planted.topicIds,
    optionId: planted.optionIds,
    commentId: comments ?? [],
    reviewId: reviews ?? [],
    reportId: reports ?? [],
    caseId: cases ?? [],
    replyId: replies ?? [],
    questionId: planted.topicIds,
    userId: [mei.id],
    memberId: [mei.id],
    tagId: [tagId],
    id: planted.topicIds,
    thingId: [topicId],
    place: [`edit topic ${topicId}`, 'topic'],
    q: ['Open', 'topic'],
    keyword: ['Open', 'topic'],
    month: [new Date().toISOString().slice(0, 7)],
    files: planted.files,
    membershipCardId: [cardId],
    cardId: [cardId],
    specificationId,
    couponId: [couponId],
    orderId: [bought.orderId],
  }
}

/** An envelope of hers with one opened share. */
async function anEnvelope(): Promise<string> {
  await endow(forum.database, mei.id, 50)
  const { body } = await gives(mei, tagId, { envelopeKind: 'random', envelopePoints: '50', envelopeQuantity: 3 })
  const envelopeId = await envelopeOf(forum, body.topicId)
  await tom.call(openEnvelope, { envelopeId }, aKey())
  return envelopeId
}

/** The canaries that this person may see. */
function mayHear(who: Visitor): RegExp {
  const its = locks.filter((lock) => keyed.get(lock) === who)
  // The author may see all of them.
  if (who === mei) return new RegExp(canary.source)
  if (who === helper) return /^zqformer$/
  return its.length > 0 ? new RegExp(`^(zq(${its.join('|')})[a-z]+|zqcode)$`) : /^$/
}

function heardWrongly(who: Visitor, text: string, isLoggedIn = true): string[] {
  const may = isLoggedIn ? mayHear(who) : /^$/
  const words = [...text.matchAll(canary)].map(([word]) => word).filter((word) => !may.test(word))
  const ids = planted.files.filter((id, at) => text.includes(id) && !may.test(`zq${locks[Math.floor(at / 2)]}file`))
  return [...words, ...ids, ...(who !== mei && new RegExp(`\\b${length}\\b`).test(text) ? [String(length)] : [])]
}

type Crawler = { name: string; who: Visitor; asksStaff: boolean; isLoggedIn: boolean }

function crawlers(): Crawler[] {
  const all = [...keyed].map(([lock, who]) => ({ name: `who opened ${lock}`, who: who as Visitor, asksStaff: false, isLoggedIn: true }))
  return [
    { name: 'a visitor', who: forum.visitor(), asksStaff: false, isLoggedIn: false },
    { name: 'the author', who: mei, asksStaff: false, isLoggedIn: true },
    { name: 'another member', who: tom, asksStaff: false, isLoggedIn: true },
    { name: 'staff without the right', who: helper, asksStaff: true, isLoggedIn: true },
    ...all,
  ]
}

// Not answered here: these staff lack the right, or there is no such row, or the call needs a name, a page view or an unsubscribe token.
const notAnswered = new Set([
  // There is none here.
  '/assistant/conversation',
  '/admin/hiddenPart/topic',
  '/admin/batch/left',
  '/admin/messageReport/view',
  '/admin/assistant/report/view',
  '/admin/member/mergeLook',
  '/admin/notice/view',
  '/admin/sensitiveWord/export',
  '/admin/report/picture',
  '/admin/appeal/view',
  '/admin/help/view',
  '/help/page',
  '/statistic/add',
  '/unsubscribe',
])
const reads = routes.filter(({ endpoint }) => endpoint.method === 'GET').map(({ endpoint }) => endpoint)
// The sandbox of payments answers the machine itself alone.
const loopback = '127.0.0.1'

describe('a hidden part is readable only for members who opened it', () => {
  test('in any answer of the API', async () => {
    const answered = new Set<string>()
    const wrong: string[] = []
    for (const endpoint of reads) {
      for (const { name, who, asksStaff, isLoggedIn } of crawlers()) {
        if (asksStaff !== endpoint.path.startsWith('/admin/')) continue
        for (const query of queriesFor(endpoint, known).slice(0, 24)) {
          const url = `/api${endpoint.path}?${query}`
          const answer = await forum.app.inject({ url, remoteAddress: loopback, headers: who.headers('GET') })
          if (answer.statusCode === 200) answered.add(endpoint.path)
          if (answer.statusCode >= 500) wrong.push(`${name}: ${answer.statusCode} ${url}`)
          const leaks = heardWrongly(who, answer.body, isLoggedIn)
          if (leaks.length > 0) wrong.push(`${name}: ${answer.statusCode} ${url}: ${leaks.join(' ')}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(reads.map(({ path }) => path).filter((path) => !answered.has(path) && !notAnswered.has(path))).toEqual([])
  })

  test('though they can read their own unlocked parts', async () => {
    const [topicId = ''] = planted.topicIds
    for (const [lock, who] of keyed) {
      const { parts } = await who.call(hidden.myHidden, { topicId })
      expect(JSON.stringify(parts)).toContain(`zq${lock}words`)
    }
    expect((await tom.call(hidden.myHidden, { topicId })).parts.map(({ why }) => why)).toEqual([])
  })

  test('on any page, in its data, in feeds and in sitemaps', async () => {
    const { addresses } = await import('#apps/web/server.tsx')
    const query = (topicId: string) => `topicId=${topicId}&questionId=${topicId}&tagId=${tagId}&userId=${mei.id}&q=Open&keyword=Open`
    const paths = addresses.flatMap(({ path }) =>
      planted.topicIds.flatMap((topicId) => [path, `${path}?${query(topicId)}`, `${path}?topicId=${topicId}`]),
    )
    const others = [
      ...['', `?tagId=${tagId}`, `?userId=${mei.id}`].map((query) => `/feed${query}`),
      '/sitemap.xml',
      '/robots.txt',
      '/opensearch.xml',
      '/api/openapi.json',
      '/metrics',
      '/health',
      '/health/live',
    ]
    const maps = [...(await forum.app.inject('/sitemap.xml')).body.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(
      ([, path = '']) => path,
    )
    const wrong: string[] = []
    let seen = 0
    for (const url of new Set([...paths, ...others, ...maps, ...cardsOf(planted.topicIds)]))
      for (const language of ['zh-CN', 'en-US']) {
        const answer = await forum.app.inject({ url, headers: { 'accept-language': language } })
        if (answer.body.includes('Open to all who come')) seen++
        const leaks = heardWrongly(tom, answer.body, false)
        if (leaks.length > 0) wrong.push(`${answer.statusCode} ${url}: ${leaks.join(' ')}`)
      }
    expect(wrong).toEqual([])
    expect(seen).toBeGreaterThan(5)
  })

  test('in streams of events', async () => {
    const url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
    const [topicId = ''] = planted.topicIds
    const listeners = await Promise.all(
      streams.flatMap(({ endpoint }) =>
        queriesFor(endpoint, known).map((query) =>
          eventListener((how) => fetch(`${url}/api${endpoint.path}?${query}`, how), { 'last-event-id': '0' }),
        ),
      ),
    )
    await aComment(mei, topicId)
    await expect.poll(() => listeners.flatMap((one) => one.events()).length).toBeGreaterThan(0)
    expect(listeners.flatMap((one) => heardWrongly(tom, one.text(), false))).toEqual([])
    for (const one of listeners) one.close()
  })

  test('by searching for it', async () => {
    for (const word of ['zqpointswords', 'zqcommentalt', 'zqpasswordname', 'zqbalancecode', 'zqsesame', 'zqwaiting', 'zqearlier'])
      for (const who of [forum.visitor(), tom, ...keyed.values()])
        expect([word, (await who.call(search, { keyword: word })).hits]).toEqual([word, []])
  })

  test('as a file', async () => {
    for (const { name, who, asksStaff, isLoggedIn } of crawlers()) {
      const path = asksStaff ? file.fileKeysForStaff : file.fileKeys
      const { body } = await who.tryCall(path, { files: planted.files })
      const may = isLoggedIn ? mayHear(who) : /^$/
      const opened = planted.files.filter((_, at) => may.test(`zq${locks[Math.floor(at / 2)]}file`))
      expect([name, (body.keys ?? []).map((key) => key.file).toSorted()]).toEqual([name, opened.toSorted()])
    }
    for (const id of planted.files)
      for (const url of [`/file/${id}`, `/file/${id}?w=480`, `/file/${id}?as=avif`, `/file/${id}?key=x`])
        expect([url, (await forum.app.inject(url)).statusCode]).toEqual([url, 404])
  })

  test('in any table the program itself can read', async () => {
    const { app } = forum.database
    const { rows } = await sql<{ schema: string; table: string }>`
      select nspname as schema, relname as table from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'v', 'm') and nspname not in ('pg_catalog', 'information_schema') and has_schema_privilege(nspname, 'usage')
        and has_table_privilege(pg_class.oid, 'select')`.execute(app)
    expect(rows.length).toBeGreaterThan(60)
    const found: string[] = []
    // A draft is visible to its owner only, and a file keeps its original name.
    for (const { schema, table } of rows.filter(({ table: name }) => name !== 'draft' && name !== 'file')) {
      const result = await sql<{
        row: string
      }>`select row::text from ${sql.table(`${schema}.${table}`)} as row where row::text ~ 'zq[a-z]'`.execute(app)
      found.push(
        ...result.rows
          .filter(({ row }) => (row.match(canary) ?? []).some((word) => word !== 'zqformer'))
          .map(({ row }) => `${table}: ${row}`),
      )
    }
    expect(found).toEqual([])
  })
})
