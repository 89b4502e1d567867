import type { Page, Range, SourceFollow, SourceLike, SourceReadPosition } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn } from '#importer/server/tables/pages.ts'
import { integer } from '#importer/server/tables/source-tables.ts'
import { id, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

/** Likes had no time at first. */
export async function* likes(flarum: Flarum, { after }: Range): AsyncGenerator<Page<SourceLike>> {
  const table = flarum.table('post_likes')
  const columns = await presentIn(flarum, table, ['created_at'])
  yield* pagesInTurn(flarum.tables, [{ table, columns, keys: numberKeys('post_id', 'user_id') }], after, (rows) =>
    rows.map((row) => ({ postId: id(row, 'post_id'), memberId: id(row, 'user_id'), at: timeOf(row, 'created_at') })),
  )
}

const levels: Readonly<Record<string, SourceFollow['level']>> = { follow: 'watching', ignore: 'muted' }

export async function* follows(flarum: Flarum, { after }: Range): AsyncGenerator<Page<SourceFollow>> {
  const table = flarum.table('discussion_user')
  const columns = await presentIn(flarum, table, ['subscription'])
  yield* pagesInTurn(flarum.tables, [{ table, columns, keys: numberKeys('user_id', 'discussion_id') }], after, (rows) =>
    rows.flatMap((row): SourceFollow[] => {
      const level = levels[plainText(flarum, row, 'subscription')]
      return level ? [{ of: 'thread', id: id(row, 'discussion_id'), memberId: id(row, 'user_id'), level, at: null }] : []
    }),
  )
}

/** How far members have read: the number of a post. */
export async function* readPositions(flarum: Flarum, { after }: Range): AsyncGenerator<Page<SourceReadPosition>> {
  const table = flarum.table('discussion_user')
  const read = { table, columns: ['last_read_post_number', 'last_read_at'], keys: numberKeys('user_id', 'discussion_id') }
  yield* pagesInTurn(flarum.tables, [read], after, (rows) =>
    rows.flatMap((row): SourceReadPosition[] => {
      const number = integer(row, 'last_read_post_number')
      if (number < 1) return []
      return [{ threadId: id(row, 'discussion_id'), memberId: id(row, 'user_id'), number, at: timeOf(row, 'last_read_at') }]
    }),
  )
}

async function presentIn({ tables, columnsOf }: Flarum, table: string, wanted: readonly string[]): Promise<string[]> {
  return (await tables.tables()).includes(table) ? columnsOf(table, wanted) : []
}
