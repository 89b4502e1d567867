import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { byColumn } from '#base/server/feature.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { batches, undoBatch } from '#batch/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { mergeTopics, splitTopic } from '#content/move-contract.ts'
import { kinds, type Kind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

// Rows about a post are put into every table whose feature says what becomes of them, whatever else they hold. Then the post is erased, or
// becomes one of another kind.

const forum = await aForum()
const { database } = forum
const owner = new pg.Client({ connectionString: forum.ownerUrl })
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  ;[chief, tagId] = [await aStaffer(forum), await aTag(database)]
  await owner.connect()
  // No trigger and no foreign key asks whether the rows make sense.
  await owner.query('set session_replication_role = replica')
})
afterAll(() => owner.end())

type Post = { kind: Kind; id: string; authorId: string; topicId: string; commentId: string | null }
type Row = Record<string, unknown>
/** `first` is the first of the names to which a check or a domain limits it. */
type Column = { name: string; type: string; isRequired: boolean; first: string | null }

const references = features.flatMap(({ postReferences }) => byColumn(postReferences ?? {}))
const tablesWhere = (applies: (reference: (typeof references)[number]) => boolean) => [
  ...new Set(references.filter(applies).map(({ table }) => table)),
]
const marker = 'Words of the post'
let count = 0

/** Values that rows of these tables need besides any value of the right type. */
const given: Record<string, (post: Post) => Row | Promise<Row>> = {
  file_use: async () => ({ file_id: await aFile() }),
  notice: ({ kind, id }) => ({
    facts: JSON.stringify({ post: { kind, id, title: marker, excerpt: marker } }),
    kind: 'removed',
    member_id: bo.id,
  }),
  notification: () => ({ kind: 'liked' }),
  notification_event: async (post) => ({ notification_id: await aNotification(post) }),
  post_fingerprint: ({ authorId }) => ({ member_id: authorId }),
  'hidden.part': () => ({ lock: 'comment' }),
  red_envelope: () => ({ kind: 'random', state: 'dropped', ended_at: new Date(), end_reason: 'postGone' }),
  removal: ({ topicId }) => ({ removed_by_member: bo.id, topic_id: topicId }),
  review: () => ({ is_edit: true, edited_by: bo.id }),
}

/** The columns by which rows name a post, where their names do not say it. */
const namings: Record<string, (post: Post) => Row | null> = {
  draft: ({ kind, id }) => ({ place: `edit ${kind} ${id}` }),
  follow: ({ kind, id }) => (kind === 'topic' ? { of: 'topic', of_id: id } : null),
  notice: ({ topicId }) => ({ topic_id: topicId }),
  // The thread where it was removed stays the same.
  removal: ({ kind, id }) => ({ kind, thing_id: id, comment_id: kind === 'comment' ? id : null }),
  'hidden.part': ({ kind, id }) => (kind === 'reply' ? null : { topic_id: null, comment_id: null, [`${kind}_id`]: id }),
}

async function aNotification({ topicId }: Post): Promise<string> {
  await insert('notification', { kind: 'liked', topic_id: topicId, count: 9 })
  return (await owner.query<{ id: string }>('select max(id) as id from notification')).rows[0]?.id ?? ''
}

async function aFile(): Promise<string> {
  const id = `x${++count}`
  await insert('file', { id, kind: 'attachment', name: 'tea.txt' })
  return id
}

async function columnsOf(table: string): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull and not atthasdef and attidentity = '' as "isRequired",
       coalesce((select min(enumlabel) from pg_enum where enumtypid = atttypid), (select substring(pg_get_constraintdef(oid) from $$ARRAY.'([a-zA-Z]+)'$$) from pg_constraint
        where contypid = atttypid or conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1)) as first
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows
}

/** The columns of a table by which a row names a post; null if its rows name none of that kind. */
async function naming(table: string, post: Post): Promise<Row | null> {
  const { kind, id, topicId, commentId } = post
  const ownNaming = namings[table]
  if (ownNaming) return ownNaming(post)
  const columns = await columnsOf(table)
  const has = (name: string) => columns.some((column) => column.name === name)
  const pair = ['post_id', 'thing_id', 'source_id'].find(has)
  if (!pair && !has(`${kind}_id`)) return null
  const kindColumn = columns.find(({ type }) => type === 'post_kind')?.name
  return {
    ...(pair && { [pair]: id, [kindColumn ?? '']: kind }),
    ...(has('topic_id') && { topic_id: topicId }),
    ...(has('comment_id') && { comment_id: kind === 'topic' ? null : commentId }),
    ...(has('reply_id') && { reply_id: kind === 'reply' ? id : null }),
  }
}

function valueOf({ name, type, first }: Column): unknown {
  if (first) return first
  if (type.endsWith('[]') || type === 'jsonb') return '{}'
  if (/^(text|character)/.test(type)) return `x${++count}`
  if (/^(bigint|integer|smallint|numeric|double|real)/.test(type)) return 1
  if (type === 'boolean') return false
  if (type.startsWith('timestamp') || type === 'date') return new Date()
  if (type === 'bytea') return randomBytes(32)
  throw new Error(`A value of the type ${type} is needed for ${name}`)
}

/** Inserts a row with these values, and with one of the right type where another is required. */
async function insert(table: string, values: Row): Promise<void> {
  const row: Row = {}
  for (const column of await columnsOf(table))
    if (column.isRequired) row[column.name] = column.name === 'member_id' ? bo.id : valueOf(column)
  Object.assign(row, values)
  const columns = Object.keys(row).map((name) => pg.escapeIdentifier(name))
  const places = columns.map((_, at) => `$${at + 1}`)
  await owner.query(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

/** Inserts a row about a post, with its words where the feature says that it loses them; none where rows name no post of that kind. */
async function insertRow(table: string, post: Post): Promise<void> {
  const names = await naming(table, post)
  if (!names) return
  const blanks = new Set(
    references.flatMap((one) => (one.table === table && typeof one.erased === 'object' && 'blanks' in one.erased ? one.erased.blanks : [])),
  )
  const words: Row = {}
  for (const { name, type } of await columnsOf(table))
    if (blanks.has(name)) words[name] = type === 'jsonb' ? JSON.stringify([marker]) : type === 'text[]' ? [marker] : marker
  await insert(table, { ...words, ...names, ...(await given[table]?.(post)) })
}

/** The rows of a table that name a post, as texts. */
async function rowsAbout(table: string, post: Post): Promise<string[]> {
  const names = await naming(table, post)
  if (!names) return []
  const columns = Object.keys(names)
  const where = columns.map((name, at) => `its."${name}"::text is not distinct from $${at + 1}`).join(' and ')
  const { rows } = await owner.query<{ row: string }>(`select its::text as row from ${table} as its where ${where}`, Object.values(names))
  return rows.map(({ row }) => row)
}

async function aThread(): Promise<Record<Kind, Post>> {
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  const replyId = await aReply(mei, commentId)
  return {
    topic: { kind: 'topic', id: topicId, authorId: mei.id, topicId, commentId: null },
    comment: { kind: 'comment', id: commentId, authorId: tom.id, topicId, commentId },
    reply: { kind: 'reply', id: replyId, authorId: mei.id, topicId, commentId },
  }
}

async function erase({ kind, id }: Post): Promise<void> {
  const locked = (tx: Db) => posts.lockPosts(tx, [{ kind, id }])
  await transact(database, async (tx) => posts.takeDown(tx, await locked(tx), { by: 'staff', notifies: false }))
  await transact(database, async (tx) => {
    for (const post of await locked(tx)) await posts.erase(tx, post)
  })
}

describe('of a post that is erased', () => {
  const gone = tablesWhere(({ erased }) => erased === 'delete' || erased === 'moment' || erased === 'call')
  const wordless = tablesWhere(({ erased }) => typeof erased === 'object' && 'blanks' in erased)

  test.each(kinds)('no row and no word is left where its feature says so: a %s', async (kind) => {
    const thread = await aThread()
    const about = kind === 'topic' ? Object.values(thread) : [thread[kind]]
    for (const table of [...gone, ...wordless]) for (const post of about) await insertRow(table, post)
    await erase(thread[kind])
    const left: string[] = []
    for (const post of about) {
      for (const table of gone) if ((await rowsAbout(table, post)).length > 0) left.push(`${table} of a ${post.kind}`)
      for (const table of wordless)
        if ((await rowsAbout(table, post)).some((row) => row.includes(marker))) left.push(`${table} of a ${post.kind}`)
    }
    expect(left).toEqual([])
  })
})

describe('of a post that becomes one of another kind, rows that move name the new one', () => {
  const tables = tablesWhere(({ became }) => became === 'moves').toSorted()
  const tablesAbout = async (post: Post) => {
    const named: string[] = []
    for (const table of tables) if ((await rowsAbout(table, post)).length > 0) named.push(table)
    return named
  }

  test('a comment that becomes a topic, and a comment again', async () => {
    const { comment } = await aThread()
    for (const table of tables) await insertRow(table, comment)
    const split = { topicId: comment.topicId, commentIds: [comment.id], title: 'Of cups', tagId, reason: '' }
    const { topicId } = await chief.call(splitTopic, split)
    const topic: Post = { kind: 'topic', id: topicId, authorId: tom.id, topicId, commentId: null }
    expect([await tablesAbout(topic), await tablesAbout(comment)]).toEqual([tables, []])
    const [batch] = (await chief.call(batches, {})).rows
    await chief.call(undoBatch, { batchId: batch?.id ?? '' })
    expect([await tablesAbout(topic), await tablesAbout(comment)]).toEqual([[], tables])
  })

  test('an opening that becomes a comment of the thread in which its own goes on', async () => {
    const [{ topic }, target] = [await aThread(), await aThread()]
    for (const table of tables) await insertRow(table, topic)
    await chief.call(mergeTopics, { topicIds: [topic.id], to: target.topic.id })
    expect(await tablesAbout(topic)).toEqual([])
  })
})
