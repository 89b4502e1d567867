import { toSegments } from '#base/rich-text/to-html.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import type { SourceMessage } from '#importer/server/source.ts'
import { filesIn, noteAll, referencesOf, resolved, type References } from '#importer/server/write/documents.ts'
import { memberIds, newIds, record, insertWithIds, reserveIds, type ImportContext } from '#importer/server/write/import-context.ts'

type Pair = { author: string; reader: string }
type Row = { id: string; author: string; reader: string; source: SourceMessage; document: Doc }

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
    coming.flatMap(({ authorId, readerIds }) => [authorId, ...readerIds]),
  )
  const references = await referencesOf(
    tx,
    context,
    coming.map(({ body }) => ({ body, fileIds: [] })),
  )
  const rows = coming.flatMap((source) => copiesOf(context, source, members, references))
  if (rows.length === 0) return
  const ids = await reserveIds(tx, 'message', rows.length)
  const numbered = rows.map((row, index): Row => ({ ...row, id: ids[index] ?? '' }))
  await insertWithIds(
    tx,
    'message',
    numbered.map(({ id, author, reader, source, document }) => ({
      id,
      ...pairOf(author, reader),
      author_id: author,
      key: keyOf(`${context.importId} ${source.id} ${reader}`),
      body: document as never,
      segments: toSegments(document, references) as never,
      text: toText(document),
      ...goneOf(source, { author, reader }, members),
      sent_at: source.sentAt,
    })),
  )
  await record(
    tx,
    context,
    numbered.flatMap(({ id, reader, source }) => [
      { kind: 'message' as const, oldId: source.id, newId: id },
      { kind: 'copy' as const, oldId: `${source.id}/${reader}`, newId: id },
    ]),
  )
  for (const { id, document } of numbered) await file.attach(tx, filesIn(document), { messageId: id })
  await writeSides(tx, numbered, members)
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
  return [...readers].map((reader) => ({ author, reader, source, document }))
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

/** Who of the two has deleted it there has no copy here. */
function goneOf({ goneFor = [] }: SourceMessage, { author, reader }: Pair, members: ReadonlyMap<string, string>) {
  const gone = new Set(goneFor.map((id) => members.get(id)))
  const { low_id: low, high_id: high } = pairOf(author, reader)
  return { gone_low: gone.has(low), gone_high: gone.has(high) }
}

/** A key that the same message always has, so that it is never written twice. */
function keyOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Each member's side of the conversations; what was not read there is unread here. */
async function writeSides(tx: Db, rows: readonly Row[], members: ReadonlyMap<string, string>): Promise<void> {
  const sides = rows.flatMap(({ id, author, reader, source: { isRead, goneFor = [] } }) => {
    const gone = new Set(goneFor.map((oldId) => members.get(oldId)))
    return [
      { member: author, other: reader, id, unread: 0, sent: 1 },
      { member: reader, other: author, id, unread: isRead ? 0 : 1, sent: 0 },
    ].filter(({ member }) => !gone.has(member))
  })
  await sql`
    insert into conversation_participant as side (member_id, other_id, last_id, unread, sent)
    select member, other, max(id), sum(unread), sum(sent)
    from unnest(${sides.map(({ member }) => member)}::bigint[], ${sides.map(({ other }) => other)}::bigint[], ${sides.map(({ id }) => id)}::bigint[],
      ${sides.map(({ unread }) => unread)}::int[], ${sides.map(({ sent }) => sent)}::int[]) as its (member, other, id, unread, sent)
    group by 1, 2 order by 1, 2
    on conflict (member_id, other_id) do update set last_id = greatest(side.last_id, excluded.last_id), unread = side.unread + excluded.unread,
      sent = side.sent + excluded.sent`.execute(tx)
}
