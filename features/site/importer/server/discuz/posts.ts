import type { Block, Doc } from '#base/rich-text/document.ts'
import { documentFromDiscuz } from '#importer/server/body/discuz-code.ts'
import { blocksOf, documentOf, standalonesOf, textPieces } from '#importer/server/body/pieces.ts'
import type { Page, Range, SourceComment, SourcePost, SourceState } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { masksAmong } from '#importer/server/discuz/masks.ts'
import { id, flag, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { authorOf, escapedText, reward, type Discuz } from '#importer/server/discuz/source.ts'

const postColumns = [
  'pid',
  'tid',
  'first',
  'author',
  'authorid',
  'dateline',
  'message',
  'invisible',
  'anonymous',
  'htmlon',
  'bbcodeoff',
  'smileyoff',
  'parseurloff',
  'attachment',
  'position',
  'status',
]

/** The columns of a post; that of its last edit came with X3.5. */
export async function columnsOf(discuz: Discuz): Promise<string[]> {
  const present = await discuz.tables.columns(discuz.table('forum_post'))
  return present.some(({ name }) => name === 'lastupdate') ? [...postColumns, 'lastupdate'] : postColumns
}

/** The table of a thread's posts: the first, or an archive with a number. */
export function postTable(discuz: Discuz, number: string): string {
  return number === '0' ? discuz.table('forum_post') : `${discuz.table('forum_post')}_${number}`
}

/** All tables of posts, in a fixed order. */
export async function postTables({ tables, table }: Discuz): Promise<string[]> {
  const first = table('forum_post')
  const isPosts = (name: string) => name === first || (name.startsWith(`${first}_`) && /^\d+$/.test(name.slice(first.length + 1)))
  return (await tables.tables()).filter(isPosts).toSorted()
}

/** All posts but the openings, by thread and position, from each table; then the remarks on them. */
export async function* comments(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceComment>> {
  const [fromPost, fromRemark] = rangeIn(since)
  const [toPost, toRemark] = rangeIn(upto)
  const posts = {
    columns: await columnsOf(discuz),
    keys: numberKeys('tid', 'position'),
    where: [...idsBetween('pid', fromPost, toPost), { column: 'first', is: '=' as const, value: '0' }],
  }
  const remarks = {
    table: discuz.table('forum_postcomment'),
    columns: ['pid', 'author', 'authorid', 'dateline', 'comment'],
    keys: numberKeys('id'),
    where: idsBetween('id', fromRemark, toRemark),
  }
  const reads = [...(await postTables(discuz)).map((table) => ({ table, ...posts })), remarks]
  yield* pagesInTurn(discuz.tables, reads, after, (rows, table) =>
    table === remarks.table ? remarksOf(discuz, rows) : commentsOf(discuz, rows),
  )
}

/** A mark of this kind is two: of posts, and of the remarks on them. */
export function markOf(posts: string, remarksMark: string): string {
  return `${posts} ${remarksMark}`
}

function rangeIn(mark: string | null): [string, string] {
  const [posts = '0', its = '0'] = (mark ?? '').split(' ')
  return [posts || '0', its]
}

async function commentsOf(discuz: Discuz, rows: readonly Row[]): Promise<SourceComment[]> {
  const threads = await rowsBy(
    discuz.tables,
    { table: discuz.table('forum_thread'), columns: ['special', 'price', 'dateline'], column: 'tid' },
    rows.map((row) => id(row, 'tid')),
  )
  const written = await postsOf(
    discuz,
    rows.map((row) => ({ row, price: 0 })),
  )
  return written.map((post, index) => {
    const row = rows[index] as Row
    const isBest = isBestAnswer(row, threads.get(id(row, 'tid'))?.[0])
    const place = { threadId: id(row, 'tid'), number: integer(row, 'position'), answersId: null, belowId: null }
    return { ...post, ...place, ...(isBest && { publishedAt: neighbourTime(rows, index) ?? post.publishedAt }) }
  })
}

/** Choosing a best answer replaces its time by that of the question and a second. */
function isBestAnswer(row: Row, thread: Row | undefined): boolean {
  if (!thread || integer(thread, 'special') !== reward || integer(thread, 'price') >= 0) return false
  return integer(row, 'dateline') === integer(thread, 'dateline') + 1
}

function neighbourTime(rows: readonly Row[], index: number): Date | null {
  const [row, before, behind] = [rows[index], rows[index - 1], rows[index + 1]]
  const near = [before, behind].find((one) => one && row && id(one, 'tid') === id(row, 'tid'))
  return near ? unixTime(near, 'dateline') : null
}

type WrittenRow = { row: Row; /** What its thread costs. */ price: number }

/** Posts with their files, in the order of the rows. */
export async function postsOf(discuz: Discuz, written: readonly WrittenRow[]): Promise<SourcePost[]> {
  const files = await filesOf(
    discuz,
    written.flatMap(({ row }) => (integer(row, 'attachment') > 0 ? [row] : [])),
  )
  const isMasked = await masksAmong(
    discuz,
    written.map(({ row }) => row),
  )
  return written.map(({ row, price }) => postOf(discuz, row, { price, isMasked: isMasked(row), files: files.get(id(row, 'pid')) ?? [] }))
}

type PostFile = { id: string; price: number }

async function filesOf(discuz: Discuz, rows: readonly Row[]): Promise<Map<string, PostFile[]>> {
  const files = new Map<string, PostFile[]>()
  for (const [digit, here] of Map.groupBy(rows, (row) => id(row, 'tid').at(-1) ?? '0')) {
    const found = await rowsBy(
      discuz.tables,
      { table: `${discuz.table('forum_attachment')}_${digit}`, columns: ['aid', 'price'], column: 'pid', order: ['aid'] },
      here.map((row) => id(row, 'pid')),
    )
    for (const [pid, its] of found)
      files.set(
        pid,
        its.map((file) => ({ id: id(file, 'aid'), price: integer(file, 'price') })),
      )
  }
  return files
}

type PostParts = { price: number; isMasked: boolean; files: readonly PostFile[] }

function postOf(discuz: Discuz, row: Row, { price, isMasked, files }: PostParts): SourcePost {
  const publishedAt = unixTime(row, 'dateline') ?? new Date(0)
  const { used, document, notes } = documentFromDiscuz(text(row, 'message', discuz.decode), {
    htmlon: integer(row, 'htmlon'),
    bbcodeoff: integer(row, 'bbcodeoff'),
    smileyoff: integer(row, 'smileyoff'),
    parseurloff: integer(row, 'parseurloff'),
    charset: discuz.isGbk ? 'gbk' : 'utf8',
    hides: true,
    withheld: '',
    price,
    isMasked,
    publishedAt,
    now: discuz.now,
    hideDays: discuz.settings.hideDays,
    fileIds: files.map((file) => file.id),
  })
  const sold = files.filter((file) => file.price > 0 && !isMasked)
  const open = files.filter((file) => file.price <= 0 && !used.includes(file.id))
  return {
    id: id(row, 'pid'),
    author: authorOf(discuz, row),
    body: { notes: isMasked ? [...notes, 'post that the board masked'] : notes, document: withSold(document, sold) },
    publishedAt,
    editedAt: row['lastupdate'] === undefined ? null : unixTime(row, 'lastupdate'),
    state: stateOf(integer(row, 'invisible')),
    fileIds: open.map((file) => file.id),
  }
}

/** A file that is sold stands in a hidden part of its price, and nowhere else. */
function withSold(document: Doc, sold: readonly PostFile[]): Doc {
  if (sold.length === 0) return document
  const parts = new Map(sold.map(({ id: its, price }) => [`import:file/${its}`, soldPart(its, price)]))
  const content = document.content.map((block) => withParts(block, parts))
  const shown = new Set(standalonesOf(document.content).flatMap((one) => (one.type === 'file' ? [one.attrs.file] : [])))
  return documentOf([...content, ...[...parts].flatMap(([address, part]) => (shown.has(address) ? [] : [part]))])
}

function soldPart(fileId: string, price: number): Block {
  const content: Block[] = [{ type: 'file', attrs: { file: `import:file/${fileId}`, name: '', bytes: 1 } }]
  return { type: 'hidden', attrs: { lock: 'points', value: String(price) }, content }
}

function withParts(block: Block, parts: ReadonlyMap<string, Block>): Block {
  if (block.type === 'file') return parts.get(block.attrs.file) ?? block
  if (!('content' in block) || !block.content || block.type === 'paragraph' || block.type === 'heading' || block.type === 'codeBlock')
    return block
  return { ...block, content: (block.content as Block[]).map((child) => withParts(child, parts)) } as Block
}

/** -1 went with its thread, which says so itself; -5 lies in the bin; -2 and -3 wait. */
function stateOf(invisible: number): SourceState {
  return invisible === -5 ? 'deleted' : invisible === -2 || invisible === -3 ? 'pending' : 'published'
}

/** Remarks on posts, which stand below them. Those on an opening came with it; averages of ratings are nobody's. */
async function remarksOf(discuz: Discuz, rows: readonly Row[]): Promise<SourceComment[]> {
  const people = rows.filter((row) => integer(row, 'authorid') >= 0)
  const threads = await threadsOf(
    discuz,
    people.map((row) => id(row, 'pid')),
  )
  return people.flatMap((row) => {
    const pid = id(row, 'pid')
    const threadId = threads.get(pid)
    if (threadId === undefined) return []
    const content = blocksOf(textPieces(escapedText(discuz, row, 'comment')))
    return [
      {
        id: `remark-${id(row, 'id')}`,
        author: authorOf(discuz, row),
        body: { document: { type: 'doc' as const, content: content.length > 0 ? content : [{ type: 'paragraph' as const }] }, notes: [] },
        publishedAt: unixTime(row, 'dateline') ?? new Date(0),
        editedAt: null,
        state: 'published' as const,
        fileIds: [],
        threadId,
        number: null,
        answersId: null,
        belowId: pid,
      },
    ]
  })
}

/** The threads of posts that are no openings. Posts move to other threads without the remarks on them. */
async function threadsOf(discuz: Discuz, pids: readonly string[]): Promise<Map<string, string>> {
  const threads = new Map<string, string>()
  for (const table of await postTables(discuz))
    for (const [pid, [row]] of await rowsBy(discuz.tables, { table, columns: ['first', 'tid'], column: 'pid' }, pids))
      if (row && !flag(row, 'first')) threads.set(pid, id(row, 'tid'))
  return threads
}
