import type { Page, Range, SourceMessage } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { dateTime, integer, type Row } from '#importer/server/tables/source-tables.ts'
import { comment, discussionColumns, isPrivate, isPrivatePost, openingsOf, recipientsOf } from '#importer/server/flarum/discussions.ts'
import { bodiesOf, postColumnsOf, stateOf } from '#importer/server/flarum/posts.ts'
import { id, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

/** The marks of private discussions, which are posts, and of the messages that Flarum 2 has beside them. */
export function markOf(posts: string, messages: string): string {
  return `${posts} ${messages}`
}

function isIn({ since, upto }: Range, kind: 0 | 1): (row: Row) => boolean {
  const of = (mark: string | null) => BigInt(mark?.split(' ')[kind] || '0')
  return (row) => BigInt(id(row, 'id')) > of(since) && BigInt(id(row, 'id')) <= of(upto)
}

/** Posts of private discussions, and messages of dialogs. */
export async function* messages(flarum: Flarum, range: Range): AsyncGenerator<Page<SourceMessage>> {
  const [discussions, dialogs] = [flarum.table('discussions'), flarum.table('dialogs')]
  const present = await flarum.tables.tables()
  const reads = [
    { table: discussions, columns: await flarum.columnsOf(discussions, discussionColumns), keys: numberKeys('id'), perPage: 100 },
    { table: dialogs, columns: [], keys: numberKeys('id'), perPage: 100 },
  ]
  const used = reads.filter(({ table }) => table === dialogs || present.includes(flarum.table('recipients')))
  yield* pagesInTurn(flarum.tables, used, range.after, (rows, table) =>
    table === discussions ? privatePosts(flarum, range, rows) : dialogMessages(flarum, range, rows),
  )
}

async function privatePosts(flarum: Flarum, range: Range, rows: readonly Row[]): Promise<SourceMessage[]> {
  const recipients = await recipientsOf(
    flarum,
    rows.map((row) => id(row, 'id')),
  )
  const discussions = rows.filter((row) => isPrivate(row, recipients) && timeOf(row, 'hidden_at') === null)
  const ids = discussions.map((row) => id(row, 'id'))
  const posts = await rowsBy(
    flarum.tables,
    { table: flarum.table('posts'), columns: await postColumnsOf(flarum), column: 'discussion_id', order: ['number', 'id'] },
    ids,
  )
  const within = isIn(range, 0)
  const coming = [...posts.values()].flat().filter((row) => within(row) && isReadable(flarum, row))
  const [bodies, openings] = [await bodiesOf(flarum, coming, { hides: false }), await openingsOf(flarum, discussions)]
  const [readers, read] = [await readersOf(flarum, recipients), await readNumbers(flarum, ids)]
  const titles = new Map(discussions.map((row) => [openings.get(id(row, 'id')), plainText(flarum, row, 'title')]))
  return coming.flatMap((row, at): SourceMessage[] => {
    const [body, discussion, authorId] = [bodies[at], id(row, 'discussion_id'), id(row, 'user_id')]
    const readerIds = (readers.get(discussion) ?? []).filter((reader) => reader !== authorId)
    if (!body || readerIds.length === 0) return []
    const isRead = readerIds.every((reader) => (read.get(`${discussion} ${reader}`) ?? 0) >= integer(row, 'number'))
    const sentAt = dateTime(row, 'created_at') ?? new Date(0)
    return [{ id: `post/${id(row, 'id')}`, authorId, readerIds, title: titles.get(id(row, 'id')) ?? '', body, sentAt, isRead }]
  })
}

/** A comment of a member that all recipients could read. */
function isReadable(flarum: Flarum, row: Row): boolean {
  return plainText(flarum, row, 'type') === comment && row['user_id'] !== null && stateOf(row) === 'published' && !isPrivatePost(row)
}

/** The members who may read each private discussion now, also by a group. */
async function readersOf(flarum: Flarum, recipients: ReadonlyMap<string, readonly Row[]>): Promise<Map<string, string[]>> {
  const staying = [...recipients].map(
    ([discussion, rows]) => [discussion, rows.filter((row) => timeOf(row, 'removed_at') === null)] as const,
  )
  const groups = await rowsBy(
    flarum.tables,
    { table: flarum.table('group_user'), columns: ['user_id'], column: 'group_id' },
    staying.flatMap(([, rows]) => rows.flatMap((row) => (row['group_id'] ? [id(row, 'group_id')] : []))),
  )
  const membersIn = (row: Row) => [
    ...(row['user_id'] ? [id(row, 'user_id')] : []),
    ...(row['group_id'] ? (groups.get(id(row, 'group_id')) ?? []).map((one) => id(one, 'user_id')) : []),
  ]
  return new Map(staying.map(([discussion, rows]) => [discussion, [...new Set(rows.flatMap(membersIn))]]))
}

/** How far members have read in discussions, by `DISCUSSION MEMBER`. */
async function readNumbers({ tables, table }: Flarum, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await rowsBy(
    tables,
    { table: table('discussion_user'), columns: ['user_id', 'last_read_post_number'], column: 'discussion_id' },
    ids,
  )
  const all = [...rows].flatMap(([discussion, its]) =>
    its.map((row) => [`${discussion} ${id(row, 'user_id')}`, integer(row, 'last_read_post_number')] as const),
  )
  return new Map(all)
}

async function dialogMessages(flarum: Flarum, range: Range, dialogs: readonly Row[]): Promise<SourceMessage[]> {
  const { tables, table } = flarum
  const ids = dialogs.map((row) => id(row, 'id'))
  const columns = ['id', 'dialog_id', 'user_id', 'content', 'created_at']
  const rows = await rowsBy(tables, { table: table('dialog_messages'), columns, column: 'dialog_id', order: ['id'] }, ids)
  const people = await rowsBy(
    tables,
    { table: table('dialog_user'), columns: ['user_id', 'last_read_message_id'], column: 'dialog_id' },
    ids,
  )
  const coming = [...rows.values()]
    .flat()
    .filter((row) => row['user_id'] !== null)
    .filter(isIn(range, 1))
  const bodies = await bodiesOf(flarum, coming, { hides: false })
  return coming.flatMap((row, at): SourceMessage[] => {
    const [its, authorId, body] = [id(row, 'id'), id(row, 'user_id'), bodies[at]]
    const readers = (people.get(id(row, 'dialog_id')) ?? []).filter((one) => id(one, 'user_id') !== authorId)
    if (!body || readers.length === 0) return []
    const isRead = readers.every((one) => integer(one, 'last_read_message_id') >= Number(its))
    const sentAt = dateTime(row, 'created_at') ?? new Date(0)
    return [{ id: `dialog/${its}`, authorId, readerIds: readers.map((one) => id(one, 'user_id')), title: '', body, sentAt, isRead }]
  })
}
