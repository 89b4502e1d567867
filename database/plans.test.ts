import pg from 'pg'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { tableAccesses } from '#base/testing/plans.ts'
import { withStatementLog, type RecordedStatement } from '#base/testing/statement-log.ts'
import { addComment, addReply, editRemark, removeRemark } from '#comment/contract.ts'
import { markRead } from '#comment/reading-contract.ts'
import { bountyFilters } from '#bounty/contract.ts'
import { gatherNews } from '#follow/contract.ts'
import { questionFilters, remarkKinds } from '#kind/contract.ts'
import { moveComments, splitTopic } from '#content/move-contract.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import { aCard } from '#membership/testing/factories.ts'
import { aConversation } from '#assistant/testing/factories.ts'
import { atMachine, paidTopUp, withSandbox } from '#payment/testing/factories.ts'
import { listQuestions } from '#question/contract.ts'
import { startIndexer } from '#search/server/indexer.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aRole, giveRole } from '#tag/testing/factories.ts'
import { editTopic, hotTopics, listTopics, publishTopic, removeTopic } from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import { maxPages } from '#topic/server/list.ts'
import { says } from '#writing/testing/factories.ts'
import { endpoints } from '../tools/endpoints.ts'

// Enough comments that the planner uses an index of topics on the way to a comment, where it has a choice.
const comments = 24_000
const manyQuestions = 40_000
/** A page with all that belongs to it reads far fewer rows; the longest topic has far more. */
const mostRows = 1_000
/** One row for each of a thousand followed, for topics and for questions, and a few pages of their posts. */
const mostFollowedRows = 4_000
const followedFrom = `select (extract(epoch from last_reply_at) * 1000000)::bigint || '.' || id as place from topic order by last_reply_at desc offset 300 limit 1`
const large = new Set([
  'topic',
  'comment',
  'reply',
  'topic_word',
  'topic_read_position',
  'file',
  'file_use',
  'written',
  'notice',
  'review',
  'red_envelope_share',
  'poll_ballot',
])

let statements: RecordedStatement[] = []
const forum = await aForum({ fresh: aLargeOne })
const [mei, chief] = [atMachine(await forum.member()), await aStaffer(forum)]
const client = new pg.Client({ connectionString: forum.ownerUrl })
// The connection is dropped with its database, when the forum closes.
client.on('error', () => undefined)
await client.connect()

// The search has a plan test of its own, so nothing is indexed here.
async function aLargeOne(): Promise<TestDatabase> {
  const store = await freshDatabase()
  await startIndexer({ database: store.database, engine: postgresEngine, log: pino({ level: 'silent' }) }).stop()
  await seedBulk(store, comments, () => undefined)
  const owner = new pg.Client({ connectionString: store.ownerUrl })
  await owner.connect()
  // A third of the threads become questions, many of them answered.
  await owner.query(`update topic set kind = 'question' where id % 3 = 0`)
  for (const table of ['comment', 'reply']) await owner.query(`update ${table} set thread_kind = 'question' where topic_id % 3 = 0`)
  await owner.query('truncate search_change')
  await owner.query('analyze')
  await owner.end()
  const recording = withStatementLog(store)
  statements = recording.statements
  return recording
}

let longest = ''
let busiest = ''
let asking = ''
let page: string[] = []
let card = { cardId: '', ids: [''] }
let payment = ''
let event = ''
let envelope = ''
let conversation = ''
let option = ''
let replied = { id: '', comment_id: '' }

beforeAll(async () => {
  await withSandbox(forum)
  await giveRole(forum.database, mei.id, await aRole(forum.database, ['content.edit.any', 'content.remove.any']))
  card = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 1 }])
  payment = await paidTopUp(forum, mei, '1')
  event = await one('select id from payment_event limit 1')
  conversation = await aConversation(forum.database, mei.id)
  envelope = await one(`
    with given as (
      insert into red_envelope (giver_id, kind, currency, amount, quantity, cover, state, ended_at, end_reason)
      select ${mei.id}, 'random', 'points', 1000, 1000, 'tea', 'dropped', now(), 'tooLittle' from generate_series(1, 2000) returning id)
    , cut as (
      insert into red_envelope_share (envelope_id, place, amount, member_id, claimed_at)
      select given.id, (row_number() over (partition by given.id order by member.id))::int, 1, member.id, now()
      from given, (select id from member where id <> ${mei.id} order by id limit 100) as member returning envelope_id)
    select max(envelope_id)::text as id from cut`)
  // Her conversation has ten turns, among many conversations.
  conversation = await one(`
    with begun as (
      insert into assistant_conversation (member_id, title) select id, 'Keyboards' from member order by id <> ${mei.id}, id limit 2001 returning id, member_id
    ), written as (
      insert into assistant_turn (conversation_id, prompt, state, ended_at)
      select begun.id, 'Which keyboard?', 'finished', now() from begun, generate_series(1, 10) returning conversation_id
    ), used as (
      insert into assistant_usage (member_id, job, ended_at) select member_id, 'chat', now() from begun, generate_series(1, 10) returning id)
    select id::text from begun where member_id = ${mei.id} and exists (select from written) and exists (select from used)`)
  await client.query('analyze red_envelope, red_envelope_share, assistant_conversation, assistant_turn, assistant_usage')
  longest = await one("select id from topic where kind = 'topic' order by floors desc limit 1")
  asking = await one("select id from topic where kind = 'question' order by floors desc limit 1")
  busiest = await one('select id from member order by comment_count desc limit 1')
  // The poll of the longest topic has a hundred voters, among many polls.
  option = await one(`
    with made as (
      insert into poll (topic_id, max_choices, is_public, shows_results)
      select id, 1, true, 'always' from topic order by id <> ${longest}, id limit 500 returning topic_id
    ), offered as (
      insert into poll_option (topic_id, place, label) select topic_id, place, 'Option ' || place from made, generate_series(1, 3) as place returning id, topic_id
    ), cast_votes as (
      insert into poll_ballot (topic_id, member_id, option_ids)
      select topic_id, member.id, array[min(offered.id)] from offered, (select id from member order by id limit 100) as member group by topic_id, member.id
    )
    select min(id)::text as id from offered where topic_id = ${longest}`)
  await client.query('analyze poll, poll_option, poll_ballot')
  const { rows } = await client.query<{ id: string }>('select id from comment where topic_id = $1 order by floor desc limit 30', [longest])
  page = rows.map(({ id }) => id)
  replied =
    (await client.query<typeof replied>('select id, comment_id from reply where topic_id = $1 limit 1', [longest])).rows[0] ?? replied
})

test('no read reads more rows than it shows, with any plan of the database', async () => {
  statements.length = 0
  const unanswered: string[] = []
  for (const endpoint of (await endpoints()).filter(({ method, path }) => method === 'GET' && !path.toLowerCase().endsWith('news'))) {
    const isForStaff = endpoint.path.startsWith('/admin/')
    for (const input of asksOf(endpoint)) {
      const { status } = await (isForStaff ? chief : mei).tryCall(endpoint, input)
      if (status !== 200 && !isForStaff) unanswered.push(endpoint.path)
    }
  }
  for (const path of [`/share/${longest}.png`, `/share/${longest}/card.png`, `/share/${longest}/card.png?commentId=${page[0]}`])
    expect((await forum.app.inject(path)).statusCode, path).toBe(200)
  // Nothing has been moved, no help page exists, and the lists of likes and favourites of a topic are for its author only.
  const others = ['/user/control/topicLikeList', '/user/control/topicFavoriteList']
  expect(new Set(unanswered)).toEqual(new Set(['/thread/moved', '/unsubscribe', '/help/page', ...others]))
  expect(new Set(statements.map(({ text }) => text)).size).toBeGreaterThan(150)
  expect(await thatReadMuch()).toEqual([])
})

test('an action on a part of a long topic reads no more rows than it needs', async () => {
  statements.length = 0
  const [first = '', second = '', third = ''] = page
  const tagId = await one(`select tag_id as id from topic where id = ${longest}`)
  const { commentId } = await mei.call(addComment, { topicId: longest, body: says('One more.'), quotes: first })
  const { replyId } = await mei.call(addReply, { commentId, body: says('Indeed.') })
  await mei.call(markRead, { topicId: longest, floor: 100 })
  await mei.call(editRemark, { kind: 'comment', id: commentId, body: says('One more, and better.') })
  await mei.call(editRemark, { kind: 'reply', id: replyId, body: says('Indeed it is.') })
  await mei.call(removeRemark, { kind: 'reply', id: replyId })
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  const { topicId } = await mei.call(publishTopic, { tagId, title: 'Keyboards of old', body: says('Loud ones.') })
  await mei.call(editTopic, { topicId, title: 'Keyboards of old times', body: says('Very loud ones.') })
  await chief.call(moveComments, { topicId: longest, commentIds: [first, second], to: topicId })
  await chief.call(splitTopic, { topicId: longest, commentIds: [third], title: 'A topic of its own', tagId })
  await mei.call(removeTopic, { topicId })
  expect(await thatReadMuch()).toEqual([])
})

test('a list of questions walks an index, in any state and tag, and counts only as far as its pages go', async () => {
  const tagId = await one(`select tag_id as id from topic where id = ${asking}`)
  await client.query(`
    insert into topic (kind, tag_id, author_id, title, body, segments, summary, published_at, last_reply_at, comment_count, is_resolved)
    select 'question', topic.tag_id, topic.author_id, case when number % 5000 = 0 then '问 ' || number else 'Asked ' || number end, '{}', '[]', '', at, at, number % 3, number % 3 = 2
    from generate_series(1, ${manyQuestions}) as number, lateral (select now() - number * interval '1 second') as asked(at), topic
    where topic.id = ${asking}`)
  await client.query(`
    insert into bounty (topic_id, state, points, cents, days, ends_at, points_hold, cents_hold)
    select id, 'open', 1 + id % 500, 1 + id % 900, 7, now() + interval '7 days', id, id from topic where title like 'Asked %' and id % 4 = 0`)
  await client.query('analyze topic, topic_tag, bounty')
  statements.length = 0
  // One question in five thousand is Chinese.
  for (const state of [undefined, ...questionFilters])
    for (const among of [{}, { tagId }, { language: 'zh' as const }, { tagId, language: 'zh' as const }])
      await mei.call(listQuestions, { ...among, ...(state && { state }) })
  await transact(forum.database, (tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  for (const bounty of bountyFilters) for (const among of [{}, { tagId }]) await mei.call(listQuestions, { ...among, bounty })
  const texts = new Map(statements.map(({ text, values }) => [text, values]))
  const lists = [...texts].filter(([text]) => /kind = 'question'|from topic_tag/.test(text) && /limit/.test(text))
  // A page and a count of each state and of all, anywhere and within a tag.
  expect(lists.length).toBeGreaterThanOrEqual(12)
  const much: string[] = []
  for (const [text, values] of lists) {
    const most = text.includes('count(*)::int as count from (') ? maxPages * 30 : mostRows
    for (const { table, rows, how } of await tableAccesses(client, text, values))
      if ((large.has(table) || table === 'topic_tag' || table === 'bounty') && rows > most)
        much.push(`${rows} of ${table} by ${how}: ${text}`)
  }
  expect(much).toEqual([])
})

test('a list in a language that few write is found in an index of it, everywhere and in a tag, in each order', async () => {
  const tagId = await one(`select tag_id as id from topic where id = ${longest}`)
  await client.query(`
    insert into topic (tag_id, author_id, title, body, segments, summary, published_at, last_reply_at, heat)
    select topic.tag_id, topic.author_id, case when number % 5000 = 0 then '说 ' else 'Said ' end || number, '{}', '[]', '', at, at, number
    from generate_series(1, ${manyQuestions}) as number, lateral (select now() - number * interval '1 second') as said(at), topic
    where topic.id = ${longest}`)
  await client.query('analyze topic')
  statements.length = 0
  for (const sort of ['reply', 'new', 'hot'] as const)
    for (const among of [{}, { tagId }]) {
      const { topics, total } = await mei.call(listTopics, { ...among, sort, language: 'zh' })
      expect(topics.length).toBeGreaterThan(0)
      expect(total).toBeLessThan(mostRows)
    }
  for (const language of ['zh', 'en'] as const) await mei.call(hotTopics, { language })
  expect(await thatReadMuch()).toEqual([])
})

test('the feed of a thousand followed members, tags and threads looks at each of them once', async () => {
  await client.query(
    `insert into follow (of, of_id, member_id)
    (select 'member', id, $1::bigint from member where id <> $1::bigint order by topic_count desc limit 1000)
    union all select 'tag', id, $1 from tag union all (select 'topic', id, $1 from topic order by id limit 1000)
    on conflict do nothing`,
    [mei.id],
  )
  await client.query('analyze follow')
  const [place] = await client.query<{ place: string }>(followedFrom).then(({ rows }) => rows)
  statements.length = 0
  for (const before of [undefined, place?.place])
    for (const onlyQuestions of [false, true]) {
      const { threads } = await mei.call(followedThreads, { onlyQuestions, ...(before && { before }) })
      expect(threads.length).toBeGreaterThan(0)
    }
  await client.query(`update topic set published_at = now() where id in (select id from topic order by id desc limit 20)`)
  await mei.call(gatherNews, {})
  expect(statements.some(({ text }) => text.includes('insert into notification '))).toBe(true)
  await client.query(`delete from follow where of = 'tag'`)
  const { threads } = await mei.call(followedThreads, {})
  expect(threads.map(({ why }) => why)).toContain('member')
  expect(threads.length).toBeGreaterThan(5)
  const texts = new Map(statements.filter(({ text }) => text.includes('from follow')).map(({ text, values }) => [text, values]))
  const much: string[] = []
  for (const [text, values] of texts)
    for (const { table, rows, how } of await tableAccesses(client, text, values))
      if (rows > mostFollowedRows) much.push(`${rows} of ${table} by ${how}: ${text}`)
  expect(much).toEqual([])
  await client.query('delete from follow')
})

/** The required input of a call, and all of it; of the longest topic and the busiest member. */
function asksOf({ input }: Endpoint): Record<string, never>[] {
  const shape = input instanceof z.ZodObject ? input.shape : {}
  const known: Record<string, unknown> = {
    id: longest,
    topicId: longest,
    topicIds: [longest],
    thingId: longest,
    kind: 'topic',
    place: `comment ${longest}`,
    commentId: replied.comment_id,
    commentIds: page,
    replyId: replied.id,
    after: '1',
    floor: 900,
    userId: busiest,
    memberId: busiest,
    keyword: 'keyboard',
    nickname: 'Tea',
    query: 'a',
    files: [`f_${'a'.repeat(22)}`],
    language: 'en',
    url: '/index',
    questionId: asking,
    title: 'A question about a keyboard',
    month: '2026-11',
    membershipCardId: card.cardId,
    specificationId: card.ids[0],
    number: payment,
    eventId: event,
    provider: 'sandbox',
    state: 'paid',
    member: mei.id,
    envelopeId: envelope,
    conversationId: conversation,
    optionId: option,
  }
  const isOfRemark = shape['kind']?.safeParse('reply').success && !shape['kind'].safeParse('topic').success
  if (!isOfRemark) return withEach(shape, known)
  return remarkKinds.flatMap((kind) => withEach(shape, { ...known, kind, id: kind === 'reply' ? replied.id : replied.comment_id }))
}

function withEach(shape: Readonly<Record<string, z.ZodType>>, known: Record<string, unknown>): Record<string, never>[] {
  // A field of the same name may mean something else.
  const names = Object.keys(shape).filter((name) => known[name] !== undefined && shape[name]?.safeParse(known[name]).success)
  const isNeeded = (name: string) => shape[name]?.safeParse(undefined).success === false
  return [names.filter(isNeeded), names].map((some) => Object.fromEntries(some.map((name) => [name, known[name] as never])))
}

// Statements that count on purpose: everything since the last count, a staff list up to a thousand rows, a member's posts up to the deepest
// page, and for staff the topics of each tag and the posts that a clean-up would remove.
const counting = /statistics_progress|limit \$\d+\)\) as few$|limit \$\d+\) as "shown"$|"all_topics"|with post as \(/

async function thatReadMuch(): Promise<string[]> {
  const once = new Map(statements.map(({ text, values }) => [text, values]))
  const much: string[] = []
  for (const [text, values] of once) {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(text) || counting.test(text)) continue
    const looks = await tableAccesses(client, text, values)
    much.push(
      ...looks.flatMap(({ table, rows, how }) => (large.has(table) && rows > mostRows ? `${rows} of ${table} by ${how}: ${text}` : [])),
    )
  }
  return much
}

async function one(text: string): Promise<string> {
  return (await client.query<{ id: string }>(text)).rows[0]?.id ?? ''
}
