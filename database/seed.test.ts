import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isPassword } from '#base/server/security/hash-password.ts'
import { readConfig } from '#base/server/config.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { setStatementTimeout } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { bookChecks, features } from '#apps/server/features.ts'
import { screens } from '#apps/web/screens.ts'
import { listComments } from '#comment/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { tagPictureKeys } from '#database/sample/pictures.ts'
import { readSample } from '#database/sample/read.ts'
import { isLocalSite } from '#database/seed/balances.ts'
import { addFirstStaff, seedNewForum, seedSample } from '#database/seed.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import { helpPage, helpTree } from '#help/contract.ts'
import { listQuestions, question } from '#question/contract.ts'
import { envelopesOfThreads } from '#red-envelope/list-contract.ts'
import * as role from '#role/server/role.ts'
import { listTags } from '#tag/contract.ts'
import { listTopics, thread } from '#topic/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'

const { database, dataDir, ownerUrl, visitor, member } = await aForum()
const config = readConfig({ TEAHOUSE_DATA: dataDir })
const sample = readSample()
const db = database.app
const countsOf = () => Promise.all((['topic', 'member', 'terms', 'setting', 'staff'] as const).map(count))
const before = await countsOf()
// As on a slow machine, or with a very short statement timeout.
await setStatementTimeout(ownerUrl, true)
const slow = openDatabase(addressesOf(ownerUrl), { features, size: 2, onLost: () => undefined, statementTimeoutsMs: { app: 1, reader: 1 } })
const updates: [string, number, number][] = []
const ended = await seedNewForum(slow, config, (_, step) => {
  if (step === 40) throw new Error('no more water')
}).catch(String)
const left = await countsOf()
// As two servers do that start at once.
const seed = () => seedNewForum(slow, config, (...progress) => updates.push(progress))
await Promise.all([seed(), seed()])
const begun = await Promise.all([addFirstStaff(slow), addFirstStaff(slow)])
await slow.close()
await setStatementTimeout(ownerUrl, false)

test('a new forum has one member of staff, whose password is shown once', async () => {
  const row = await db.selectFrom('staff').select(['account', 'password_hash']).executeTakeFirstOrThrow()
  const admins = begun.flatMap((one) => one ?? [])
  expect(row.account).toBe('admin')
  expect(admins).toHaveLength(1)
  expect(await isPassword(row.password_hash, admins[0]?.password ?? '')).toBe(true)
  expect(await addFirstStaff(database)).toBeNull()
})

test('a start that ends while it fills the forum leaves nothing, and the next one fills it', () => {
  expect(ended).toContain('no more water')
  expect(left).toEqual(before)
})

test('progress of the sample is reported to the end', () => {
  expect(updates[0]).toEqual(['sample', 0, expect.any(Number)])
  expect(updates.at(-1)).toEqual(['sample', updates[0]?.[2], updates[0]?.[2]])
})

test('the whole sample is there', async () => {
  const comments = sample.topics.flatMap((topic) => topic.comments)
  expect(await count('topic')).toBe(sample.topics.length)
  expect(await count('comment')).toBe(comments.length)
  expect(await count('reply')).toBe(comments.flatMap((comment) => comment.replies).length)
  expect(await count('member')).toBe(sample.members.length + 1)
  expect(await count('file')).toBe(11 + tagPictureKeys.length)
  const pictured = await db.selectFrom('tag').select('key').where('picture', 'is not', null).execute()
  expect(pictured.map(({ key }) => key).toSorted()).toEqual(tagPictureKeys.toSorted())
})

test('the help has the pages that a forum needs, in both languages, and each link in them leads somewhere', async () => {
  const { categories } = await visitor().call(helpTree, {})
  const pages = categories.flatMap((category) => category.pages)
  expect(pages.map(({ title }) => title.en)).toEqual([
    'How to post',
    'Questions and bounties',
    'Hidden parts',
    'Rules',
    'Points and levels',
    'Red envelopes',
    'Messages and notifications',
    'Your account',
  ])
  const known = new Set(screens.map(({ path }) => path))
  for (const { id: pageId } of pages) {
    const [zh, en] = await Promise.all((['zh', 'en'] as const).map((language) => visitor().call(helpPage, { pageId, language })))
    const [inZh, inEn] = [zh, en].map((page) => [...(page?.segments[0]?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href))
    expect(inZh).toEqual(inEn)
    expect(inZh?.filter((href) => !known.has(href ?? ''))).toEqual([])
    const parts = [zh, en].map((page) => [...(page?.segments[0]?.html ?? '').matchAll(/<(h\d|li|tr)>/g)].map(([, tag]) => tag))
    expect(parts[0]).toEqual(parts[1])
  }
})

test('every count is right, and every topic names its last author', async () => {
  expect(await counterMismatches(db)).toEqual([])
  expect(await newestMismatches(db)).toEqual([])
})

test('the past is in order and in the past', async () => {
  const joined = await db
    .selectFrom('comment')
    .innerJoin('topic', 'topic.id', 'topic_id')
    .innerJoin('member', 'member.id', 'comment.author_id')
    .select('comment.id')
    .where((row) =>
      row.or([
        row('comment.published_at', '<', row.ref('topic.published_at')),
        row('comment.published_at', '<', row.ref('member.joined_at')),
        row('comment.published_at', '>', new Date()),
      ]),
    )
    .execute()
  expect(joined).toEqual([])
})

test('a visitor can open every topic that is not restricted, with every comment', async () => {
  const reader = visitor()
  const restricted = await restrictedTopics()
  const ids = (await db.selectFrom('topic').select('id').execute()).map((row) => row.id)
  for (const topicId of ids.filter((id) => !restricted.includes(id))) {
    const topic = await reader.call(thread, { topicId })
    expect(topic.segments.length).toBeGreaterThan(0)
    const comments = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const found = await reader.call(listComments, { topicId, page })
      comments.push(...found.comments)
      pages = found.pages
    }
    expect(comments.map((comment) => comment.floor)).toEqual(Array.from({ length: topic.floors }, (_, index) => index + 1))
    expect(JSON.stringify([topic, comments])).not.toMatch(/picture:|class=\\"gone|!\[|\]\(/)
  }
})

test('a restricted topic is missing for a visitor, and there for holders of the role', async () => {
  const restricted = await restrictedTopics()
  expect(restricted.length).toBeGreaterThan(0)
  for (const topicId of restricted) expect((await visitor().tryCall(thread, { topicId })).status).not.toBe(200)
  const { tags } = await visitor().call(listTags, {})
  const closed = sample.tags.flatMap((group) => group.children).filter((leaf) => leaf.restrictedTo)
  expect(tags.flatMap((group) => group.children).some((tag) => closed.some(({ key }) => key === tag.key))).toBe(false)
  expect((await visitor().call(listTopics, {})).total).toBe(sample.topics.length - restricted.length)

  const mei = await member()
  const { id } = await db.selectFrom('role').select('id').where('name_en', '=', 'Tea room member').executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => role.give(tx, mei.id, id, null))
  expect((await mei.tryCall(thread, { topicId: restricted[0] ?? '' })).status).toBe(200)
})

test('pictures are shown in their size and are in the storage', async () => {
  const files = await db.selectFrom('file').select(['id', 'bytes', 'unused_since']).where('kind', '=', 'picture').execute()
  for (const file of files) {
    expect(file.unused_since).toBeNull()
    const stored = await diskStorage(join(dataDir, 'files')).get(`${file.id}.webp`)
    expect(stored && (await buffer(stored.stream)).length).toBe(file.bytes)
  }
})

test('members named in a text are mentioned', async () => {
  const { rows } = await sql<{ mentions: number; missed: number }>`
    select count(*) filter (where body @? '$.** ? (@.type == "mention")')::int as mentions,
      count(*) filter (where body @? '$.** ? (@.type == "text" && @.text like_regex "(^|[^a-z/])@xiaoman")')::int as missed
    from (select body from topic union all select body from comment union all select body from reply) as post`.execute(db)
  expect(rows[0]?.mentions).toBeGreaterThan(4)
  expect(rows[0]?.missed).toBe(0)
})

test('only moderators publish or ask in Notices', async () => {
  const { rows } = await sql<{ key: string }>`
    select distinct role.name_en as key from role_right join role on role.id = role_id join tag on tag.id = tag_id
    where tag.key = 'notices' and right_name in ('topic.publish', 'question.ask')`.execute(db)
  expect(rows).toEqual([{ key: 'Moderator' }])
})

test('some roles end, some do not', async () => {
  const members = await db.selectFrom('member').select('id').execute()
  const holdings = (await Promise.all(members.map(({ id }) => role.heldNow(db, id)))).flat()
  expect(holdings.some((one) => one.ends_at === null)).toBe(true)
  expect(holdings.some((one) => one.ends_at !== null && one.ends_at > new Date())).toBe(true)
})

test('questions are asked, answered, solved and added to, as the sample says', async () => {
  const reader = visitor()
  const rows = await db.selectFrom('topic').select(['id', 'title']).where('kind', '=', 'question').execute()
  const states = []
  for (const { id, title } of rows) {
    const [{ state, tags, bestId }, { postscripts }, { comments }] = await Promise.all([
      reader.call(question, { questionId: id }),
      reader.call(thread, { topicId: id }),
      reader.call(listComments, { topicId: id }),
    ])
    const best = comments.find((comment) => comment.id === bestId)
    states.push(state)
    const sampleTopic = sample.topics.find((topic) => topic.title === title)
    expect(tags.map((tag) => tag.key).toSorted()).toEqual([sampleTopic?.tag, ...(sampleTopic?.also ?? [])].toSorted())
    expect((best?.floor ?? 0) - 1).toBe(sampleTopic?.comments.findIndex(({ isBest }) => isBest))
    expect(postscripts.length).toBe(sampleTopic?.postscripts.length)
  }
  expect(states.toSorted()).toEqual([...times(11, 'resolved'), ...times(2, 'unanswered'), ...times(7, 'unresolved')])
  expect((await reader.call(listQuestions, {})).total).toBe(20)
})

test('an answer is accepted after it was written, and postscripts have their own time', async () => {
  const adopted = await db
    .selectFrom('adoption')
    .innerJoin('comment', 'comment.id', 'comment_id')
    .select(['adopted_at', 'published_at'])
    .execute()
  for (const { adopted_at, published_at } of adopted) {
    expect(adopted_at.getTime()).toBeGreaterThan(published_at.getTime())
    expect(adopted_at.getTime()).toBeLessThan(Date.now())
  }
  const added = await db
    .selectFrom('postscript')
    .innerJoin('topic', 'topic.id', 'topic_id')
    .select(['written_at', 'published_at'])
    .execute()
  for (const { written_at, published_at } of added) {
    expect(written_at.getTime()).toBeGreaterThan(published_at.getTime())
    expect(written_at.getTime()).toBeLessThan(Date.now() - 3_600_000)
  }
})

test('topics are viewed, pinned, featured and warm, as the sample says', async () => {
  const rows = await db.selectFrom('topic').select(['title', 'view_count', 'pin', 'featured_at', 'heat']).execute()
  for (const topic of sample.topics) {
    const row = rows.find((one) => one.title === topic.title)
    expect(row).toMatchObject({ view_count: String(topic.views), pin: topic.pinned ? 1 : 0 })
    expect(row?.featured_at !== null).toBe(topic.featured)
    expect(row?.heat).toBeGreaterThan(0)
  }
})

test('red envelopes of each kind are open, taken, returned and unopened, and a second sample has the same shares', async () => {
  const other = await aForum()
  await seedSample(other.database, readConfig({ TEAHOUSE_DATA: other.dataDir }))
  const [one, two] = await Promise.all([db, other.database.app].map(envelopesIn))
  expect(two).toEqual(one)
  expect(one?.map(({ kind, currency, state, taken, quantity }) => `${kind} ${currency} ${state} ${taken}/${quantity}`)).toEqual([
    'random points open 5/12',
    'random points taken 4/4',
    'fixed points returned 2/6',
    'fixed points open 3/8',
    'fixed cny open 3/10',
    'targeted points taken 1/1',
    'targeted points open 0/1',
  ])
  const { rows: unpaid } = await sql`select from red_envelope_share where member_id is not null and transaction_id is null`.execute(db)
  expect(unpaid).toEqual([])
  for (const { title, state } of one?.filter((its) => its.title !== null) ?? []) {
    const { id: topicId } = await db.selectFrom('topic').select('id').where('title', '=', title).executeTakeFirstOrThrow()
    expect((await visitor().call(envelopesOfThreads, { topicId })).envelope).toMatchObject({ state })
  }
})

async function envelopesIn(from: typeof db) {
  const { rows } = await sql<{ kind: string; currency: string; state: string; taken: number; quantity: number; title: string | null }>`
    select given.kind, currency, state, paid as taken, quantity, title, array(
      select amount::text || ' ' || coalesce(account, '') from red_envelope_share as share left join member on member.id = member_id
      where envelope_id = given.id order by place) as shares
    from red_envelope as given left join topic on topic.id = topic_id order by given.id`.execute(from)
  return rows
}

test('the sample comes once', async () => {
  await expect(seedSample(database, config)).rejects.toThrow('The sample community is here already')
})

test('a sample added to a forum with staff pays by their requests, and the books are right either way', async () => {
  const other = await aForum()
  await addFirstStaff(other.database)
  await seedSample(other.database, readConfig({ TEAHOUSE_DATA: other.dataDir }))
  const requests = await other.database.app.selectFrom('money_request').select('state').execute()
  expect(new Set(requests.map(({ state }) => state))).toEqual(new Set(['done']))
  expect(await checkLedger(other.database, bookChecks, { isFull: true })).toEqual([])
  expect(await checkLedger(database, bookChecks, { isFull: true })).toEqual([])
})

async function count(table: 'topic' | 'comment' | 'reply' | 'member' | 'file' | 'terms' | 'setting' | 'staff'): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((row) => row.fn.countAll<string>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

function times<T>(length: number, one: T): T[] {
  return Array.from({ length }, () => one)
}

async function restrictedTopics(): Promise<string[]> {
  const rows = await db
    .selectFrom('topic')
    .innerJoin('tag', 'tag.id', 'tag_id')
    .select('topic.id')
    .where(
      'tag.key',
      'in',
      sample.tags.flatMap((group) => group.children).flatMap((leaf) => (leaf.restrictedTo ? [leaf.key] : [])),
    )
    .execute()
  return rows.map((row) => row.id)
}

test('some members have points and a balance on a local machine, and the books say where they came from', async () => {
  const rows = await db
    .selectFrom('ledger.account as account')
    .innerJoin('member', 'member.id', 'owner_id')
    .select(['member.account', 'currency', 'balance'])
    .where('name', '=', 'member')
    .where('currency', '=', 'cny')
    .execute()
  expect(rows.toSorted((one, other) => Number(other.balance) - Number(one.balance))[0]).toEqual({
    account: 'laochen',
    currency: 'cny',
    balance: '18800',
  })
  expect(rows).toHaveLength(sample.members.filter(({ given }) => given).length)
  expect(isLocalSite({ publicUrl: 'https://forum.example', host: 'localhost' })).toBe(false)
  expect(isLocalSite({ publicUrl: null, host: '0.0.0.0' })).toBe(false)
})
