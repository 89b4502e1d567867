import type { Page, Range, SourceComment } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn } from '#importer/server/tables/pages.ts'
import { id, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { postOf } from '#importer/server/diyhi/threads.ts'
import { readOf, writersOf, type Diyhi } from '#importer/server/diyhi/source.ts'

const shared = ['id', 'userName', 'isStaff', 'content', 'postTime', 'lastUpdateTime', 'status']

/** How posts below topics and questions lie in their tables; the order is that of their marks. */
const kinds = [
  { table: 'comment', as: 'comment', thread: 'topic', columns: ['quoteIdGroup'] },
  { table: 'reply', as: 'reply', thread: 'topic', below: ['comment', 'commentId'], columns: ['commentId', 'friendReplyId'] },
  { table: 'answer', as: 'answer', thread: 'question', columns: [] },
  { table: 'answerreply', as: 'answer-reply', thread: 'question', below: ['answer', 'answerId'], columns: ['answerId', 'friendReplyId'] },
] as const
type PostKind = (typeof kinds)[number]

export const commentTables: readonly string[] = kinds.map(({ table }) => table)

/** Comments by their topics, replies below them, then the same of questions. They are counted by time. */
export async function* comments(diyhi: Diyhi, range: Range): AsyncGenerator<Page<SourceComment>> {
  const reads = kinds.map(({ table, thread, columns }, mark) => ({
    ...readOf(table, [...shared, ...columns], range, mark),
    keys: numberKeys(`${thread}Id`, 'id'),
  }))
  yield* pagesInTurn(diyhi.tables, reads, range.after, async (rows, of) => {
    const kind = kinds.find(({ table }) => table === of)
    if (!kind) throw new Error(`${of} is no table of posts`)
    const writer = await writersOf(diyhi, rows)
    return rows.map((row): SourceComment => ({
      ...postOf(diyhi, row, `${kind.as}/${id(row, 'id')}`, writer(row)),
      threadId: `${kind.thread}/${id(row, `${kind.thread}Id`)}`,
      number: null,
      answersId: answered(diyhi, kind, row),
      belowId: 'below' in kind ? `${kind.below[0]}/${id(row, kind.below[1])}` : null,
    }))
  })
}

/** A reply names the reply that it answers; a comment lists what it quotes, the nearest first. */
function answered({ decode }: Diyhi, kind: PostKind, row: Row): string | null {
  if (kind.table === 'comment') {
    const [quoted] = /\d{1,18}/.exec(text(row, 'quoteIdGroup', decode)) ?? []
    return quoted === undefined ? null : `comment/${quoted}`
  }
  if (kind.table === 'answer') return null
  return integer(row, 'friendReplyId') > 0 ? `${kind.as}/${id(row, 'friendReplyId')}` : null
}
