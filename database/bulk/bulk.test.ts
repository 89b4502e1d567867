import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { freshDatabase, setStatementTimeout } from '#base/testing/database.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import { planFor, sizeFor } from '#database/bulk/plan.ts'
import { at, random, zipf } from '#database/bulk/random.ts'

const store = await freshDatabase()
const client = new pg.Client({ connectionString: store.ownerUrl })
await client.connect()
const updates: [string, number, number][] = []
await setStatementTimeout(store.ownerUrl, true)
const size = await seedBulk(store, 2000, (...progress) => updates.push(progress))
await setStatementTimeout(store.ownerUrl, false)

afterAll(async () => {
  await client.end()
  await store.close()
})

test('a seed has as many rows as were asked for', async () => {
  const counts = `select (select count(*)::int from topic) as topics, (select count(*)::int from comment) as comments,
    (select count(*)::int from reply) as replies, (select count(*)::int from member) as members`
  expect(await ask(counts)).toEqual([size])
  expect(size.comments).toBe(2000)
})

test('every counter equals its rows', async () => {
  expect(await counterMismatches(store.database.app)).toEqual([])
})

test('floors go up by one with time, and so do those of the author', async () => {
  const wrong = `
    select id from (
      select comment.*, topic.author_id as topic_author,
        row_number() over everybody as place,
        row_number() over (partition by topic_id, comment.author_id order by comment.published_at) as own
      from comment join topic on topic.id = topic_id
      window everybody as (partition by topic_id order by comment.published_at)
    ) as counted
    where floor <> place or author_floor is distinct from case when author_id = topic_author then own end`
  expect(await ask(wrong)).toEqual([])
})

test('an answer or quote refers only to an earlier post of its thread', async () => {
  const wrong = `
    select comment.id from comment join comment quoted on quoted.id = comment.quotes
      where quoted.topic_id <> comment.topic_id or quoted.floor >= comment.floor
    union all select reply.id from reply join comment on comment.id = comment_id
      where comment.topic_id <> reply.topic_id or comment.published_at >= reply.published_at
    union all select reply.id from reply join reply answered on answered.id = reply.answers
      where answered.comment_id <> reply.comment_id or answered.published_at >= reply.published_at
    union all select comment.id from comment join topic on topic.id = topic_id where comment.published_at < topic.published_at
    union all select id from topic where last_reply_at > now()`
  expect(await ask(wrong)).toEqual([])
})

test('the last author in a topic is named there', async () => {
  expect(await newestMismatches(store.database.app)).toEqual([])
})

test('topics have heat, words to be found by, and bodies in both languages', async () => {
  const [found] =
    await ask(`select bool_and(heat > 0) as warm, bool_and(exists (select from topic_word where topic_id = topic.id)) as found,
    bool_or(summary ~ '[a-z]{4}') as english, bool_or(summary ~ '[一-龥]{4}') as chinese from topic`)
  expect(found).toEqual({ warm: true, found: true, english: true, chinese: true })
})

test('progress is reported to the end', () => {
  const all = size.members + size.topics + size.comments + size.replies
  expect(updates).toContainEqual(['writing', all, all])
  expect(updates.at(-1)).toEqual(['counting', 4, 4])
})

test('the same number makes the same plan', () => {
  expect(planFor(sizeFor(500), 5)).toEqual(planFor(sizeFor(500), 5))
})

test('a few topics and members are much busier than the rest', () => {
  const { topics, members } = planFor(sizeFor(20_000), 5)
  const busiest = topics.floors.toSorted().toReversed()
  expect(busiest[0]).toBeGreaterThan(20_000 * 0.05)
  expect(busiest[0]).toBe(topics.floors[0])
  expect(busiest[500]).toBeLessThan(20)
  expect(Math.max(...members.comments)).toBeGreaterThan(20_000 * 0.02)
})

test('ranks come up in proportion', () => {
  const rank = zipf(100, 1, random(7))
  const counts = new Int32Array(100)
  for (let draw = 0; draw < 100_000; draw++) {
    const drawn = rank()
    counts[drawn] = at(counts, drawn) + 1
  }
  expect(at(counts, 0) / at(counts, 9)).toBeGreaterThan(9)
  expect(at(counts, 0) / at(counts, 9)).toBeLessThan(11)
  expect(counts[99]).toBeGreaterThan(0)
})

test('a second seed adds to the first, even to a post that earned nothing', async () => {
  const earned = await ask("delete from reward where post_kind = 'topic' and post_id = (select min(id) from topic) returning *")
  await seedBulk(store, 100, () => undefined)
  await client.query('insert into reward select * from jsonb_populate_recordset(null::reward, $1)', [JSON.stringify(earned)])
  expect(await ask('select count(*)::int as comments from comment')).toEqual([{ comments: 2100 }])
})

test('a bulk seed that ends at any step leaves nothing, and the next is whole', async () => {
  const rows = () =>
    ask(`select (select count(*) from topic) + (select count(*) from comment) + (select count(*) from reply) + (select count(*) from member)
      + (select count(*) from written) + (select count(*) from reward) + (select sum(topic_count) from tag) as all`)
  const before = await rows()
  for (const step of ['writing 20', 'counting 0', 'counting 3', 'counting 4']) {
    const dying = seedBulk(store, 100, (name, count) => {
      if (`${name} ${count}` === step) throw new Error('no more')
    })
    await expect(dying).rejects.toThrow('no more')
    expect(await rows()).toEqual(before)
  }
  await seedBulk(store, 100, () => undefined)
  expect(await counterMismatches(store.database.app)).toEqual([])
})

async function ask(question: string): Promise<unknown[]> {
  return (await client.query(question)).rows
}
