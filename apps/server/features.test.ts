import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import type { PostPart } from '#base/post-part.ts'
import { byColumn, collect } from '#base/server/feature.ts'
import { dispatch, type Moments } from '#base/server/moments.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { editRemark } from '#comment/contract.ts'
import { kinds, type Kind } from '#kind/contract.ts'
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

const posted = new Set<string>(kinds)
const postReferences = features.flatMap(({ postReferences: all, moments }) => byColumn(all ?? {}).map((one) => ({ ...one, moments })))

/**
 * A column that may reference a post, as the database knows it: by a foreign key, by its name, as an id of anything, or as JSON. Whether the key is
 * updated when the post moves, and whether it references one of these columns, whose rows it goes with.
 */
type Candidate = { name: string; target: string | null; isJson: boolean; isUpdated: boolean; isBesideRemark: boolean }

async function candidates(): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select distinct on (1) case nspname when 'public' then '' else nspname || '.' end || relname || '.' || attname as name,
      confrelid::regclass::text as target, typname in ('json', 'jsonb') as "isJson", coalesce(confupdtype = 'c', false) as "isUpdated",
      exists (select from pg_attribute as beside where beside.attrelid = pg_class.oid and beside.attnum <> pg_attribute.attnum
        and not beside.attisdropped and beside.attname in ('comment_id', 'reply_id', 'post_id', 'thing_id', 'source_id')) as "isBesideRemark"
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
      join pg_type on pg_type.oid = atttypid
      left join pg_constraint on contype = 'f' and conrelid = attrelid and attnum = any(conkey)
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped and nspname in ('public', 'hidden', 'ledger')
      and (confrelid in ('topic'::regclass, 'comment'::regclass, 'reply'::regclass) or typname in ('json', 'jsonb')
        or attname ~ '(^|_)(topic|comment|reply|post|thread|thing)_ids?$' or contype is null and typname = 'int8' and attname ~ '_id$')
    order by 1, confupdtype = 'c' desc, confrelid = 'topic'::regclass`.execute(database.app)
  return rows
}

/** Columns that hold no post: JSON of other things, the words of the post itself, and ids of other things. */
const noPosts = `
  import.address_rules import.mapping import_check.result
  hidden.earlier.document hidden.earlier.segments hidden.part.document hidden.part.segments hidden.waiting.document hidden.waiting.segments
  comment.body comment.segments comment_revision.body postscript.body postscript.segments reply.body reply.segments reply_revision.body
  review.body review.segments review.pictures review.own_body topic.body topic.segments topic.pictures topic_revision.body draft.content
  message.body message.segments message_report_copy.messages welcome_message.body welcome_message.segments
  assistant_turn.failure_values books_check.breaches collusion_hint.patterns collusion_hint.flows collusion_hint.shared field.options
  idempotency_key.refusal maintenance_task.found membership_order.names payment_event.headers payment_event.facts payment_order.started
  payment_provider.endings red_envelope.conditions setting.value
  ledger.account.owner_id ledger.entry.transaction_id ledger.entry.account_id ledger.freezing.staff_id ledger.hold.owner_id
  ledger.month_sum.account_id ledger.transaction.actor_id books_check.at_id bounty_share.transaction_id collusion_progress.transaction_id
  conversation_participant.last_id message.author_id notification_event.member_id search_entry.tag_id`
  .trim()
  .split(/\s+/)

describe('of every column that references a post, its feature says', () => {
  test('once and alone, what becomes of it; every column of JSON and every id without a foreign key is answered', async () => {
    const names = postReferences.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) < at || noPosts.includes(name))).toEqual([])
    const found = await candidates()
    const known = new Set([...names, ...noPosts])
    const tables = new Set(postReferences.map(({ table }) => table))
    // A foreign key to a table with an answer of its own: its rows are there as long as those.
    const unanswered = found.filter(({ name, target }) => !known.has(name) && !(target && tables.has(target) && !posted.has(target)))
    expect(unanswered.map(({ name }) => name)).toEqual([])
    const all = await sql<{ name: string }>`
      select case nspname when 'public' then '' else nspname || '.' end || relname || '.' || attname as name
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace where attnum > 0`.execute(
      database.app,
    )
    const columns = new Set(all.rows.map(({ name }) => name))
    expect([...known].filter((name) => !columns.has(name))).toEqual([])
  })

  test('what becomes of it in each case that concerns it', async () => {
    const found = new Map((await candidates()).map((one) => [one.name, one]))
    const missing = postReferences.flatMap(({ name, column, moved, merged, became }) => {
      const { target = null, isJson = false, isUpdated = false, isBesideRemark = false } = found.get(name) ?? {}
      const namesThread = target === 'topic' || /^(topic|thread)_id$/.test(column)
      const namesPost = (target === 'comment' && !namesThread) || /^(comment|post|thing|source)_id$/.test(column)
      if (isJson) return []
      return [
        ...(namesThread && !merged ? [`${name}: merged`] : []),
        ...(namesThread && isBesideRemark && !isUpdated && !moved ? [`${name}: moved`] : []),
        ...(namesPost && !became ? [`${name}: became`] : []),
      ]
    })
    expect(missing).toEqual([])
  })

  test('a moment it takes part in, where it says so', () => {
    const absent = postReferences.flatMap(({ name, moments, erased, moved, merged }) => [
      ...(erased === 'moment' && !moments?.postErased ? [name] : []),
      ...(moved === 'moment' && !moments?.postsMoved ? [name] : []),
      ...(merged === 'moment' && !moments?.threadMerged ? [name] : []),
    ])
    expect(absent).toEqual([])
  })

  test('a reason in words, where its rows stay', () => {
    const answers = postReferences.flatMap(({ erased, moved, merged, became }) => [erased, moved, merged, became])
    const reasons = answers.flatMap((one) => (typeof one === 'object' && 'stays' in one ? one.stays : []))
    expect(reasons.filter((one) => !/^\p{Lu}.{8,}\.$/u.test(one))).toEqual([])
  })

  test('a column that is named after the kind of the post, where its rows are deleted by it', async () => {
    const deleted = postReferences.filter(({ erased }) => erased === 'delete')
    const targets = new Map((await candidates()).map(({ name, target }) => [name, target]))
    expect(deleted.filter(({ name, column }) => column !== `${targets.get(name)}_id`)).toEqual([])
  })
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
