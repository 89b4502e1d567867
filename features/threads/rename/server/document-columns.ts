import { sql, type RawBuilder } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { kinds, tables, type Kind } from '#kind/contract.ts'
import { renameExcerpts, type RenamedPost } from '#rename/server/excerpts.ts'
import * as tag from '#tag/server/tag.ts'

/** A column of documents, the derived columns of each, and its post. */
export type DocumentColumn = {
  table: string
  body: string
  key: string
  html?: string
  /** The beginning of its text. */
  text?: string
  kind: RawBuilder<Kind>
  postId: string
  topicId: RawBuilder<string>
}

/** A renamed member, and their current name. */
export type RenamedMember = { memberId: string; name: string }

/** All public documents of posts; hidden parts and drafts are separate. */
export const documentColumns: readonly DocumentColumn[] = [
  ...kinds.map((kind) => ({
    table: kind,
    body: 'body',
    key: 'id',
    html: 'segments',
    text: tables[kind].text,
    kind: sql<Kind>`${kind}`,
    postId: 'id',
    topicId: sql<string>`${sql.ref(kind === 'topic' ? 'id' : 'topic_id')}`,
  })),
  ...kinds.map((kind) => ({
    table: tables[kind].revisions,
    body: 'body',
    key: 'id',
    kind: sql<Kind>`${kind}`,
    postId: `${kind}_id`,
    topicId:
      kind === 'topic' ? sql<string>`topic_id` : sql<string>`(select topic_id from ${sql.table(kind)} where id = ${sql.ref(`${kind}_id`)})`,
  })),
  {
    table: 'postscript',
    body: 'body',
    key: 'topic_id',
    html: 'segments',
    kind: sql<Kind>`'topic'`,
    postId: 'topic_id',
    topicId: sql`topic_id`,
  },
  {
    table: 'review',
    body: 'body',
    key: 'id',
    html: 'segments',
    text: 'summary',
    kind: sql<Kind>`kind`,
    postId: 'post_id',
    topicId: sql`topic_id`,
  },
  { table: 'review', body: 'own_body', key: 'id', kind: sql<Kind>`kind`, postId: 'post_id', topicId: sql`topic_id` },
]

/** The condition that a document mentions a member, in the form that an index serves. */
export function mentions(column: string, memberId: string) {
  const named = sql`members_named(${sql.ref(column)})`
  return sql<boolean>`(${named} <> '{}' and ${named} @> array[${memberId}::bigint])`
}

/** The keys of all documents that mention a member. */
export async function keysOf(db: Db, { table, body, key }: DocumentColumn, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct ${sql.ref(key)} as key from ${sql.table(table)} where ${mentions(body, memberId)} order by key`.execute(db)
  return rows.map((row) => row.key)
}

type Row = RenamedPost & { key: string; was: Doc; now: Doc }

/**
 * Replaces a member's name in some of these documents, and in everything derived from them. A document with the current name stays as it
 * is.
 */
export async function renameIn(tx: Db, column: DocumentColumn, { memberId, name }: RenamedMember, keys: readonly string[]): Promise<void> {
  const named = sql`rename_in_document(${sql.ref(column.body)}, ${memberId}::bigint, ${name}::text)`
  const { rows } = await sql<Omit<Row, 'before' | 'after'>>`
    select ${sql.ref(column.key)} as key, ${column.kind} as kind, ${sql.ref(column.postId)} as "postId", ${column.topicId} as "topicId",
      ${sql.ref(column.body)} as was, ${named} as now
    from ${sql.table(column.table)}
    where ${sql.ref(column.key)} = ${anyOf(keys)} and ${mentions(column.body, memberId)} and ${named} <> ${sql.ref(column.body)}
    order by key for update`.execute(tx)
  if (rows.length === 0) return
  const html = column.html
    ? sql`, ${sql.ref(column.html)} = rename_in_html(${sql.ref(column.html)}, ${memberId}::bigint, ${name}::text)`
    : sql``
  const text = column.text ? sql`, ${sql.ref(column.text)} = told.summary` : sql``
  await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.body)} = ${named} ${html} ${text}
    from unnest(${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ now }) => summaryOf(now))}::text[]) as told(key, summary)
    where ${sql.ref(`${column.table}.${column.key}`)} = told.key`.execute(tx)
  await renameExcerpts(tx, rows)
  await invalidateAll(tx, new Set(rows.map(({ topicId }) => topicId)))
}

async function invalidateAll(tx: Db, topicIds: ReadonlySet<string>): Promise<void> {
  const places = await tag.places(tx)
  const rows = await tx
    .selectFrom('topic')
    .select(['tag_id', tag.alsoListedIn.as('alsoListedIn')])
    .distinct()
    .where('id', '=', anyOf([...topicIds]))
    .execute()
  for (const { tag_id, alsoListedIn } of rows) tag.invalidateLists(tx, tag_id, places.get(tag_id)?.parent?.id ?? null, alsoListedIn)
  invalidate(tx, 'titles', ...[...topicIds].map((id) => `topic:${id}`))
}
