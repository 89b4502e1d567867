import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { ReportProgress } from '#base/server/progress.ts'
import { newToken } from '#base/server/security/secret.ts'
import type { Database } from '#base/server/database/database.ts'
import { planFor, sizeFor, type Plan, type Size } from '#database/bulk/plan.ts'
import { at } from '#database/bulk/random.ts'
import { loadsOf, type BulkContext, type Load, type Row } from '#database/bulk/rows.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import * as setting from '#setting/server/setting.ts'
import { heatOf } from '#post/server/post.ts'

type Store = { database: Database; ownerUrl: string }

const years = 3
const yearMs = 365 * 86_400_000

/**
 * Fills the forum with generated members, topics, comments and replies, for load tests. The same number gives the same forum, except for
 * its times. All of it is one transaction.
 */
export async function seedBulk({ database, ownerUrl }: Store, comments: number, report: ReportProgress): Promise<Size> {
  const size = sizeFor(comments)
  const client = await connectAsOwner(ownerUrl)
  try {
    const first = await reserveIds(client, size)
    const now = new Date()
    const opensAt = new Date(now.getTime() - years * yearMs)
    const passwordHash = await hashPassword(newToken())
    await client.query('begin')
    const tagIds = await openTags(client)
    const ground = { first, tagIds, passwordHash, opensAt, now }
    const plan = planFor(size, tagIds.length)
    await load(client, loadsOf(plan, ground), report)
    await updateCounters({ client, database, size, plan, context: ground }, report)
    await client.query("insert into invalidation (by, tags) values (gen_random_uuid(), array['everything'])")
    await client.query('commit')
    await client.query('vacuum (analyze) member, topic, topic_word, comment, reply, written')
    return size
  } finally {
    await client.end()
  }
}

async function openTags(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    select id from tag where not is_restricted and not exists (select from tag as child where child.parent_id = tag.id) order by sort, id`)
  if (rows.length > 0) return rows.map((row) => row.id)
  const result = await client.query<{ id: string }>(
    "insert into tag (key, name_zh, name_en) values ('bulk', '杂谈', 'Everything') returning id",
  )
  return result.rows.map((row) => row.id)
}

/** Reserves as many ids as are needed, so that members can keep writing meanwhile. */
async function reserveIds(client: pg.Client, size: Size): Promise<BulkContext['first']> {
  await client.query('begin; lock table member, topic, comment, reply in share row exclusive mode')
  const first = {
    member: await reserve(client, 'member', size.members),
    topic: await reserve(client, 'topic', size.topics),
    comment: await reserve(client, 'comment', size.comments),
    reply: await reserve(client, 'reply', size.replies),
  }
  await client.query('commit')
  return first
}

async function reserve(client: pg.Client, table: string, count: number): Promise<number> {
  const { rows } = await client.query<{ first: string }>("select nextval(pg_get_serial_sequence($1, 'id')) as first", [table])
  const first = Number(rows[0]?.first)
  await client.query("select setval(pg_get_serial_sequence($1, 'id'), $2)", [table, first + count])
  return first
}

async function load(client: pg.Client, loads: readonly Load[], report: ReportProgress): Promise<void> {
  const all = loads.reduce((sum, one) => sum + one.count, 0)
  let before = 0
  for (const { table, rows, count } of loads) {
    const { value: first } = rows.next()
    if (!first) continue
    const columns = Object.keys(first).map((column) => pg.escapeIdentifier(column))
    const text = chunks(first, rows, (done) => report('writing', before + Math.min(done, count), all))
    await pipeline(Readable.from(text), client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`)))
    before += count
  }
}

const rowsInChunk = 200

function* chunks(first: Row, others: Load['rows'], tell: (done: number) => void): Generator<Buffer> {
  let text = lineOf(first)
  let done = 1
  for (const row of others) {
    text += lineOf(row)
    if (++done % rowsInChunk > 0) continue
    yield Buffer.from(text)
    tell(done)
    text = ''
  }
  yield Buffer.from(text)
  tell(done)
}

function lineOf(row: Row): string {
  return `${Object.values(row).map(cell).join('\t')}\n`
}

const special = /[\\\n\t\r]/

function cell(value: Row[string]): string {
  if (value === null) return '\\N'
  const text = String(value)
  return special.test(text) ? escaped(text) : text
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

type BulkRun = { client: pg.Client; database: Database; size: Size; plan: Plan; context: BulkContext }

// The tags come last: their rows stay locked until the commit, and publishing waits for them.
async function updateCounters({ client, database, size, plan, context }: BulkRun, report: ReportProgress): Promise<void> {
  const steps = [
    () => countWritten(client, context),
    () => postOpeningBalances(client, context, size),
    () => setHeat(client, database, context.first.topic, size.topics),
    () => countInTags(client, plan, context),
  ]
  for (const [done, step] of steps.entries()) {
    report('counting', done, steps.length)
    await step()
  }
  report('counting', steps.length, steps.length)
}

async function countInTags(client: pg.Client, { topics }: Plan, { tagIds }: BulkContext): Promise<void> {
  const counts = new Int32Array(tagIds.length)
  for (const tag of topics.tag) counts[tag] = at(counts, tag) + 1
  await client.query(
    'update tag set topic_count = topic_count + more from unnest($1::bigint[], $2::int[]) as counted(id, more) where tag.id = counted.id',
    [tagIds, [...counts]],
  )
}

async function countWritten(client: pg.Client, { first }: BulkContext): Promise<void> {
  await client.query(
    `insert into written (member_id, tag_id, topics, comments, replies)
     select author_id, tag_id, sum(topics), sum(comments), sum(replies)
     from (
       select author_id, tag_id, 1 as topics, 0 as comments, 0 as replies from topic where id >= $1
       union all
       select comment.author_id, tag_id, 0, 1, 0 from comment join topic on topic.id = topic_id where topic.id >= $1
       union all
       select reply.author_id, tag_id, 0, 0, 1 from reply join topic on topic.id = topic_id where topic.id >= $1
     ) as post
     group by author_id, tag_id`,
    [first.topic],
  )
}

// Each post earns points without the daily limits, and each member gets the sum in one ledger transaction.
async function postOpeningBalances(client: pg.Client, { first }: BulkContext, { members }: Size): Promise<void> {
  await client.query(
    `with written as (
      insert into reward (post_kind, post_id, member_id, rule, points, is_due, is_given)
      select kind, id, author_id, kind, points, true, true
      from (
        select 'topic'::post_kind as kind, id, author_id, 10 as points from topic
        union all
        select 'comment', id, author_id, 5 from comment
        union all
        select 'reply', id, author_id, 5 from reply
      ) as post
      where author_id >= $1 and author_id < $2
      returning member_id, points
    ), earned as (
      select member_id, sum(points)::bigint as points from written group by member_id
    )
    select from earned, ledger.post(json_build_array(json_build_object('kind', 'opening', 'source', 'member:' || member_id || ':points',
      'actor_kind', 'forum', 'earns', true, 'lines', json_build_array(
        json_build_object('name', 'member', 'owner', member_id, 'currency', 'points', 'amount', points),
        json_build_object('name', 'promotion', 'currency', 'points', 'amount', -points)))))`,
    [first.member, first.member + members],
  )
}

async function setHeat(client: pg.Client, { app }: Database, first: number, count: number): Promise<void> {
  const heat = heatOf(await setting.all(app))
  const { sql, parameters } = app
    .updateTable('topic')
    .set({ heat })
    .where('id', '>=', String(first))
    .where('id', '<', String(first + count))
    .compile()
  await client.query(sql, [...parameters])
}
