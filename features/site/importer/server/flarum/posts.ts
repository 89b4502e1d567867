import { type Element, shownChildren } from '#importer/server/body/element.ts'
import { decoded } from '#importer/server/body/references.ts'
import { documentFromS9e } from '#importer/server/body/s9e.ts'
import { treeOfXml } from '#importer/server/body/s9e-tree.ts'
import type { SourceBody, SourcePost, SourceState } from '#importer/server/source.ts'
import { rowsBy } from '#importer/server/tables/pages.ts'
import { dateTime, type Row } from '#importer/server/tables/source-tables.ts'
import { isPending } from '#importer/server/flarum/discussions.ts'
import { localFiles, pathIn, type UploadedFile } from '#importer/server/flarum/files.ts'
import { id, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

const postColumns = 'id discussion_id number created_at user_id type content edited_at hidden_at is_private is_approved'.split(' ')

export function postColumnsOf(flarum: Flarum): Promise<string[]> {
  return flarum.columnsOf(flarum.table('posts'), postColumns)
}

export async function postsById(flarum: Flarum, ids: readonly string[]): Promise<Map<string, SourcePost>> {
  const rows = await rowsBy(flarum.tables, { table: flarum.table('posts'), columns: await postColumnsOf(flarum), column: 'id' }, ids)
  const posts = await postsOf(flarum, [...rows.values()].flat())
  return new Map(posts.map((post) => [post.id, post]))
}

/** Reads posts, with the files in all of them looked up at once. Whoever is gone has left no name. */
export async function postsOf(flarum: Flarum, rows: readonly Row[]): Promise<SourcePost[]> {
  const bodies = await bodiesOf(flarum, rows, { hides: true })
  return rows.map((row, at) => ({
    id: id(row, 'id'),
    author: row['user_id'] === null ? { guestName: '' } : { memberId: id(row, 'user_id') },
    body: bodies[at] ?? { document: { type: 'doc', content: [] }, notes: [] },
    publishedAt: dateTime(row, 'created_at') ?? new Date(0),
    editedAt: timeOf(row, 'edited_at'),
    state: stateOf(row),
    fileIds: [],
  }))
}

/** The bodies of rows with a column `content`. Parts of posts may be hidden; a message hides nothing from its reader. */
export async function bodiesOf(flarum: Flarum, rows: readonly Row[], { hides }: { hides: boolean }): Promise<SourceBody[]> {
  const texts = rows.map((row) => plainText(flarum, row, 'content'))
  const files = await filesIn(flarum, texts)
  const fileAt = (reference: string) => files.get(reference) ?? files.get(pathIn(reference) ?? '') ?? null
  return texts.map((xml) => {
    const { document, notes } = documentFromS9e(xml, { hides, fileAt })
    return { document, notes }
  })
}

/** The uploads that texts name, by UUID or by path. */
async function filesIn(flarum: Flarum, texts: readonly string[]): Promise<Map<string, UploadedFile>> {
  const uuids = texts.flatMap((text) => [...text.matchAll(/\buuid="([^"]{1,100})"/g)].map(([, uuid = '']) => uuid))
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/"([^"]{0,500}\/assets\/files\/[^"]{1,500})"/g)].flatMap(([, at = '']) => pathIn(decoded(at)) ?? []),
  )
  const [byUuid, byPath] = [await localFiles(flarum, 'uuid', uuids), await localFiles(flarum, 'path', paths)]
  return new Map([...byUuid, ...byPath])
}

/** Hidden by its author or by staff, who can restore it. */
export function stateOf(row: Row): SourceState {
  return timeOf(row, 'hidden_at') !== null ? 'deleted' : isPending(row) ? 'pending' : 'published'
}

/** The post that a text answers: the one whose mention begins it, also within the quotation that begins it. */
export function answeredIn(xml: string): string | null {
  return xml.includes('<POSTMENTION') ? firstMention(treeOfXml(xml).root) : null
}

const around = new Set(['r', 'p', 'QUOTE'])

function firstMention(element: Element): string | null {
  const first = shownChildren(element).find((child) => typeof child !== 'string' || child.trim() !== '')
  if (first === undefined || typeof first === 'string') return null
  if (first.name === 'POSTMENTION') return first.attributes['id'] ?? null
  return around.has(first.name) ? firstMention(first) : null
}
