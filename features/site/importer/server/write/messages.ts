import { toSegments } from '#base/rich-text/to-html.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import type { SourceMessage } from '#importer/server/source.ts'
import { filesIn, noteAll, referencesOf, resolved, type References } from '#importer/server/write/documents.ts'
import { idsFor, memberIds, newIds, record, insertWithIds, type ImportContext } from '#importer/server/write/import-context.ts'

type Row = {
  id: string
  author: string
  reader: string
  /** Members who have deleted it. */ gone: ReadonlySet<string>
  source: SourceMessage
  document: Doc
}

/** Writes private messages. One to several people becomes one to each, in a conversation with each. */
export async function writeMessages(tx: Db, context: ImportContext, messages: readonly SourceMessage[]): Promise<void> {
  const known = await newIds(
    tx,
    context,
    'message',
    messages.map(({ id }) => id),
  )
  const coming = messages.filter(({ id }) => !known.has(id))
  const members = await memberIds(
    tx,
    context,
    coming.flatMap(({ authorId, readerIds, goneFor = [] }) => [authorId, ...readerIds, ...goneFor]),
  )
  const references = await referencesOf(
    tx,
    context,
    coming.map(({ body }) => ({ body, fileIds: [] })),
  )
  const copies = coming.flatMap((source) => copiesOf(context, source, members, references))
  if (copies.length === 0) return
  const ids = await idsFor(
    tx,
    context,
    'message',
    copies.map(({ source }) => source.id),
  )
  const rows = copies.map((copy, index): Row => ({ ...copy, id: ids[index] ?? '' }))
  await insertWithIds(
    tx,
    'message',
    rows.map((row) => messageRow(context, row, references)),
  )
  await record(
    tx,
    context,
    rows.flatMap(({ id, reader, source }) => [
      { kind: 'message' as const, oldId: source.id, newId: id },
      { kind: 'copy' as const, oldId: `${source.id}/${reader}`, newId: id },
    ]),
  )
  for (const { id, document } of rows) await file.attach(tx, filesIn(document), { messageId: id })
  await writeSides(tx, rows)
}

function messageRow({ importId }: ImportContext, { id, author, reader, gone, source, document }: Row, references: References) {
  return {
    id,
    ...pairOf(author, reader),
    author_id: author,
    key: keyOf(`${importId} ${source.id} ${reader}`),
    body: document as never,
    segments: toSegments(document, references) as never,
    text: toText(document),
    ...goneOn(author, reader, gone),
    sent_at: source.sentAt,
  }
}

/** A message to each reader who came along. */
function copiesOf(
  context: ImportContext,
  source: SourceMessage,
  members: ReadonlyMap<string, string>,
  references: References,
): Omit<Row, 'id'>[] {
  if (source.readerIds.length > 1) context.note('message to several people, now one to each', source.id)
  const author = members.get(source.authorId)
  const readers = new Set(source.readerIds.flatMap((id) => members.get(id) ?? []))
  if (author !== undefined) readers.delete(author)
  if (author === undefined || readers.size === 0) {
    context.note('message whose writer or readers did not come', source.id)
    return []
  }
  noteAll(context, source.body, source.id)
  const document = resolved(context, { body: withTitle(source), fileIds: [] }, references)
  const gone = new Set((source.goneFor ?? []).flatMap((id) => members.get(id) ?? []))
  return [...readers].map((reader) => ({ author, reader, gone, source, document }))
}

/** A subject has no place in a conversation: it stands above the text. */
function withTitle({ title, body }: SourceMessage): SourceMessage['body'] {
  if (title.trim() === '') return body
  const line = { type: 'paragraph' as const, content: [{ type: 'text' as const, text: title.trim(), marks: [{ type: 'bold' as const }] }] }
  return { ...body, document: { type: 'doc', content: [line, ...body.document.content] } }
}

function pairOf(one: string, other: string): { low_id: string; high_id: string } {
  return BigInt(one) < BigInt(other) ? { low_id: one, high_id: other } : { low_id: other, high_id: one }
}

function goneOn(author: string, reader: string, gone: ReadonlySet<string>): { gone_low: boolean; gone_high: boolean } {
  const { low_id, high_id } = pairOf(author, reader)
  return { gone_low: gone.has(low_id), gone_high: gone.has(high_id) }
}

/** A key that the same message always has, so that it is never written twice. */
function keyOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Each member's side of the conversations; what was not read there is unread here. */
async function writeSides(tx: Db, rows: readonly Row[]): Promise<void> {
  const sides = rows.flatMap(({ id, author, reader, gone, source: { isRead } }) => {
    const last = (member: string) => (gone.has(member) ? '0' : id)
    return [
      { member: author, other: reader, id: last(author), unread: 0, sent: 1, readTo: '0' },
      { member: reader, other: author, id: last(reader), unread: isRead || gone.has(reader) ? 0 : 1, sent: 0, readTo: isRead ? id : '0' },
    ]
  })
  await sql`
    insert into conversation_participant as side (member_id, other_id, last_id, unread, sent, read_to)
    select member, other, max(id), sum(unread), sum(sent), max(read_to)
    from unnest(${sides.map(({ member }) => member)}::bigint[], ${sides.map(({ other }) => other)}::bigint[], ${sides.map(({ id }) => id)}::bigint[],
      ${sides.map(({ unread }) => unread)}::int[], ${sides.map(({ sent }) => sent)}::int[],
      ${sides.map(({ readTo }) => readTo)}::bigint[]) as its (member, other, id, unread, sent, read_to)
    group by 1, 2 order by 1, 2
    on conflict (member_id, other_id) do update set last_id = greatest(side.last_id, excluded.last_id), unread = side.unread + excluded.unread,
      sent = side.sent + excluded.sent, read_to = greatest(side.read_to, excluded.read_to)`.execute(tx)
}
