import { sql } from 'kysely'
import type { Doc, Inline, Node } from '#base/rich-text/document.ts'
import { linksOf } from '#base/rich-text/to-text.ts'
import { anyOf, transact, type Db } from '#base/server/database/database.ts'
import { linksHere, type References } from '#importer/server/write/documents.ts'
import { record, type ImportContext } from '#importer/server/write/import-context.ts'
import type { Kind } from '#kind/contract.ts'
import * as writing from '#writing/server/writing.ts'

const postsPerStep = 200

type WrittenPost = { id: string; document: Doc }

/** Remembers posts with links to what has not come yet. */
export async function recordLaterLinks(
  tx: Db,
  context: ImportContext,
  kind: Kind,
  posts: readonly WrittenPost[],
  { missing }: Pick<References, 'missing'>,
): Promise<void> {
  if (missing.size === 0) return
  const unlinked = posts.filter(({ document }) => linksOf(document).some((link) => missing.has(link)))
  await record(
    tx,
    context,
    unlinked.map(({ id }) => ({ kind: 'unlinked', oldId: `${kind} ${id}`, newId: id })),
  )
}

/** Gives links to posts that came later than the post that names them our addresses. Those that never came lead to the old site. */
export async function linkLater(context: ImportContext): Promise<void> {
  for (let isLeft = true; isLeft;) isLeft = await transact(context.database, (tx) => linkSome(tx, context))
}

async function linkSome(tx: Db, context: ImportContext): Promise<boolean> {
  const rows = await tx
    .selectFrom('import_row')
    .select(['old_id', 'new_id'])
    .where('import_id', '=', context.importId)
    .where('kind', '=', 'unlinked')
    .orderBy('old_id')
    .limit(postsPerStep)
    .execute()
  for (const [kind, its] of Map.groupBy(rows, ({ old_id }) => old_id.split(' ')[0] as Kind))
    await linkPosts(
      tx,
      context,
      kind,
      its.map(({ new_id }) => new_id),
    )
  await tx
    .deleteFrom('import_row')
    .where('import_id', '=', context.importId)
    .where('kind', '=', 'unlinked')
    .where('old_id', '=', anyOf(rows.map(({ old_id }) => old_id)))
    .execute()
  return rows.length === postsPerStep
}

type PostRow = { id: string; author_id: string; body: Doc }

async function linkPosts(tx: Db, context: ImportContext, kind: Kind, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<PostRow>`
    select id, author_id, body from ${sql.table(kind)} where id = any(${ids}::bigint[]) and purged_at is null order by id for update`.execute(
    tx,
  )
  const { found } = await linksHere(tx, context, [...new Set(rows.flatMap(({ body }) => linksOf(body)))])
  for (const { id, author_id, body } of rows) {
    if (!linksOf(body).some((link) => found.has(link))) continue
    const document = withLinks(body, found)
    const [segments] = await writing.renderAll(tx, author_id, [document])
    await sql`update ${sql.table(kind)} set body = ${JSON.stringify(document)}, segments = ${JSON.stringify(segments)} where id = ${id}`.execute(
      tx,
    )
  }
}

function withLinks<T extends Doc | Node>(node: T, found: ReadonlyMap<string, string>): T {
  if (!('content' in node) || !node.content) return linked(node as Node & Inline, found) as unknown as T
  return { ...node, content: node.content.map((child) => withLinks(child as Node, found)) }
}

function linked(node: Inline, found: ReadonlyMap<string, string>): Inline {
  if (node.type !== 'text' || !node.marks) return node
  const marks = node.marks.map((mark) =>
    mark.type === 'link' ? { ...mark, attrs: { ...mark.attrs, href: found.get(mark.attrs.href) ?? mark.attrs.href } } : mark,
  )
  return { ...node, marks }
}
