import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import type { PostPart } from '#base/post-part.ts'
import { collect } from '#base/server/feature.ts'
import { dispatch, type Moments } from '#base/server/moments.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { editRemark } from '#comment/contract.ts'
import type { Kind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { byFeature as postParts } from '#features/lists/post-parts.ts'
import { byFeature as threadParts } from '#features/lists/thread-parts.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const forum = await aForum()
const { database, ownerUrl } = forum

/** The columns that reference these tables, as the database knows them. */
async function columnsReferring(...tables: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct case nspname when 'public' then '' else nspname || '.' end || relname || '.' || attname as name
    from pg_constraint as its join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = any(${tables}::regclass[]) and (conrelid, attname) not in (('member'::regclass, 'id'))
    order by name`.execute(database.app)
  return rows.map(({ name }) => name)
}

const memberColumns = features.flatMap((feature) =>
  Object.entries(feature.memberColumns ?? {}).map(([name, column]) => ({ feature, name, ...column })),
)
const takesPart = (moments: Partial<Moments> | undefined, ...names: (keyof Moments)[]) => names.some((name) => moments?.[name])

describe('every column that references a member declares', () => {
  test('exactly one fate', async () => {
    const names = memberColumns.map(({ name }) => name)
    expect(names.toSorted()).toEqual(await columnsReferring('member'))
  })

  test('its file in the archive, or the reason for none', () => {
    const inArchive = new Set(collect(features, 'archive').flatMap(({ by }) => by))
    expect(memberColumns.filter(({ name, archive }) => (archive === true) !== inArchive.has(name)).map(({ name }) => name)).toEqual([])
    const elsewhere = ['member.id', 'ledger.account.owner_id', 'ledger.hold.owner_id']
    const known = new Set([...memberColumns.map(({ name }) => name), ...elsewhere])
    expect([...inArchive].filter((name) => !known.has(name))).toEqual([])
  })

  test('a moment it takes part in, if it names one', () => {
    const erased = memberColumns.filter(({ erase }) => erase === 'moment')
    expect(erased.filter(({ feature }) => !takesPart(feature.moments, 'memberErasing', 'memberErased')).map(({ name }) => name)).toEqual([])
    const merged = memberColumns.filter(({ merge }) => merge === 'moment')
    expect(merged.filter(({ feature }) => !takesPart(feature.moments, 'membersMerging', 'membersMerged')).map(({ name }) => name)).toEqual(
      [],
    )
  })

  test('a reason in words, if its rows stay', () => {
    const answers = memberColumns.flatMap(({ archive, erase, merge }) => [archive, erase, merge])
    const words = answers.filter((answer) => typeof answer === 'string' && !['delete', 'move', 'moment'].includes(answer))
    expect(words.filter((answer) => !/^\p{Lu}.{8,}\.$/u.test(String(answer)))).toEqual([])
  })
})

test('every column that references a post has its fate when the post is erased, declared by its feature', async () => {
  const columns = features.flatMap(({ postColumns, moments }) =>
    Object.entries(postColumns ?? {}).map(([name, its]) => ({ name, its, moments })),
  )
  expect(columns.map(({ name }) => name).toSorted()).toEqual(await columnsReferring('topic', 'comment', 'reply'))
  expect(columns.filter(({ its, moments }) => its === 'moment' && !takesPart(moments, 'postErased')).map(({ name }) => name)).toEqual([])
})

test('rows of a column to be deleted go with their post, in the table named by the column', async () => {
  const columns = features.flatMap(({ postColumns }) => Object.entries(postColumns ?? {}))
  const deleted = columns.flatMap(([name, fate]) => (fate === 'delete' ? [name] : [])).toSorted()
  const referring = await Promise.all(
    (['topic', 'comment', 'reply'] as const).map(async (kind) =>
      (await columnsReferring(kind)).filter((name) => name.endsWith(`.${kind}_id`)),
    ),
  )
  expect(deleted.filter((name) => !referring.flat().includes(name))).toEqual([])
  expect(deleted).toEqual(['comment_revision.comment_id', 'postscript.topic_id', 'reply_revision.reply_id', 'topic_revision.topic_id'])
})

test('an erased thread takes its rows along, those of its posts as well, and a comment its own', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const tagId = await aTag(database)
  const written = async () => {
    const topicId = await aTopic(mei, tagId)
    const [one, other] = [await aComment(tom, topicId), await aComment(tom, topicId)]
    await mei.call(editTopic, { topicId, title: 'Another title', body: says(`Another body of ${topicId}`) })
    for (const id of [one, other]) await tom.call(editRemark, { kind: 'comment', id, body: says(`Another comment of ${id}`) })
    return { topicId, one, other }
  }
  const versions = async ({ topicId, one, other }: Awaited<ReturnType<typeof written>>) => {
    const count = sql<number>`(select count(*)::int from topic_revision where topic_id = ${topicId})`
    const of = (id: string) => sql<number>`(select count(*)::int from comment_revision where comment_id = ${id})`
    const { rows } = await sql<{ all: number[] }>`select array[${count}, ${of(one)}, ${of(other)}] as all`.execute(database.app)
    return rows[0]?.all
  }
  const erase = (kind: Kind, id: string) =>
    transact(database, async (tx) => {
      const found = await posts.lockPosts(tx, [{ kind, id }])
      await posts.takeDown(tx, found, { by: 'staff', notifies: false })
      for (const post of found) await posts.erase(tx, post)
    })
  const [first, second] = [await written(), await written()]
  expect(await versions(first)).toEqual([1, 1, 1])
  await erase('comment', first.one)
  expect(await versions(first)).toEqual([1, 0, 1])
  await erase('topic', first.topicId)
  expect(await versions(first)).toEqual([0, 0, 0])
  expect(await versions(second)).toEqual([1, 1, 1])
})

test('every part of threads is declared for both sides, and has its feature on the server', () => {
  expect(features.flatMap(({ threadPart }) => threadPart?.name ?? [])).toEqual(Object.values(threadParts).map(({ name }) => name))
})

test.each(['comment', 'reply', 'mine'] as const)(
  'every field that features add to %s is declared once, and has its source on the server',
  (to) => {
    const declared = Object.values<PostPart>(postParts).flatMap((part) => Object.keys(part[to] ?? {}))
    expect(features.flatMap(({ postPart }) => Object.keys(postPart?.[to] ?? {}))).toEqual(declared)
    expect(declared.filter((name, index) => declared.indexOf(name) !== index)).toEqual([])
  },
)

test('a moment is refused if the program was opened without features, as none would take part', async () => {
  const other = openDatabase(addressesOf(ownerUrl), { size: 1, minSize: 0, onLost: () => undefined })
  await expect(transact(other, (tx) => dispatch(tx, 'memberErasing', '1'))).rejects.toThrow('without features')
  await other.close()
})

test('features take part in a moment in their order, and an error undoes all of it', async () => {
  const calls: string[] = []
  const part = (name: string, fails = false) => ({
    name,
    moments: {
      async memberErasing() {
        calls.push(name)
        if (fails) throw new Error('No')
      },
    },
  })
  const other = openDatabase(addressesOf(ownerUrl), {
    features: [part('one'), part('two', true), part('three')],
    size: 1,
    minSize: 0,
    onLost: () => undefined,
  })
  const begun = transact(other, async (tx) => {
    await tx
      .insertInto('secret')
      .values({ name: 'of a moment', value: Buffer.from('x') })
      .execute()
    await dispatch(tx, 'memberErasing', '1')
  })
  await expect(begun).rejects.toThrow('No')
  expect(calls).toEqual(['one', 'two'])
  expect(await database.app.selectFrom('secret').select('name').where('name', '=', 'of a moment').execute()).toEqual([])
  await other.close()
})
