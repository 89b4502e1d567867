import { str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourceFavourite, SourceFollow, SourceLike, SourceReadPosition } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, integer, type Row } from '#importer/server/tables/source-tables.ts'

const like = '2'

/** A like that was taken back keeps its row. Most reactions of the plugin have a like beside them. */
export async function* likes({ tables }: Discourse, { after }: Range): AsyncGenerator<Page<SourceLike>> {
  const read = {
    table: 'post_actions',
    columns: ['post_id', 'user_id', 'deleted_at', 'created_at'],
    keys: numberKeys('id'),
    where: [{ column: 'post_action_type_id', is: '=' as const, value: like }],
  }
  yield* pagesInTurn(tables, [read], after, (rows) =>
    rows
      .filter((row) => row['deleted_at'] === null)
      .map((row) => ({ postId: id(row, 'post_id'), memberId: id(row, 'user_id'), at: dateTime(row, 'created_at') })),
  )
}

/** Bookmarks of topics, and of posts for their topic. */
export async function* favourites({ tables }: Discourse, { after }: Range): AsyncGenerator<Page<SourceFavourite>> {
  const columns = ['user_id', 'bookmarkable_type', 'bookmarkable_id', 'created_at']
  yield* pagesInTurn(tables, [{ table: 'bookmarks', columns, keys: numberKeys('id') }], after, async (rows) => {
    const ofPosts = rows.filter((row) => str(row, 'bookmarkable_type') === 'Post')
    const posts = await rowsBy(
      tables,
      { table: 'posts', columns: ['topic_id'], column: 'id' },
      ofPosts.map((row) => id(row, 'bookmarkable_id')),
    )
    const threadOf = (row: Row) => {
      if (str(row, 'bookmarkable_type') === 'Topic') return id(row, 'bookmarkable_id')
      const [post] = str(row, 'bookmarkable_type') === 'Post' ? (posts.get(id(row, 'bookmarkable_id')) ?? []) : []
      return post ? id(post, 'topic_id') : null
    }
    return rows.flatMap((row) => {
      const threadId = threadOf(row)
      return threadId === null ? [] : [{ threadId, memberId: id(row, 'user_id'), at: dateTime(row, 'created_at') }]
    })
  })
}

/** The last is of categories: told of new topics, and not of every answer. */
const levels: Readonly<Record<number, SourceFollow['level']>> = { 0: 'muted', 2: 'tracking', 3: 'watching', 4: 'tracking' }

/** Topics and categories with a level other than the usual one. */
export async function* follows({ tables }: Discourse, { after }: Range): AsyncGenerator<Page<SourceFollow>> {
  const unusual = [{ column: 'notification_level', is: 'in' as const, values: Object.keys(levels) }]
  const topics = {
    table: 'topic_users',
    columns: ['notification_level', 'notifications_changed_at'],
    keys: numberKeys('topic_id', 'user_id'),
    where: unusual,
  }
  const categories = {
    table: 'category_users',
    columns: ['category_id', 'user_id', 'notification_level'],
    keys: numberKeys('id'),
    where: unusual,
  }
  yield* pagesInTurn(tables, [topics, categories], after, (rows, table) =>
    rows.flatMap((row): SourceFollow[] => {
      const level = levels[integer(row, 'notification_level')]
      if (!level) return []
      const memberId = id(row, 'user_id')
      if (table === categories.table) return [{ of: 'tag', id: id(row, 'category_id'), memberId, level, at: null }]
      return [{ of: 'thread', id: id(row, 'topic_id'), memberId, level, at: dateTime(row, 'notifications_changed_at') }]
    }),
  )
}

export async function* readPositions({ tables }: Discourse, { after }: Range): AsyncGenerator<Page<SourceReadPosition>> {
  const read = {
    table: 'topic_users',
    columns: ['last_read_post_number', 'last_visited_at'],
    keys: numberKeys('topic_id', 'user_id'),
    where: [{ column: 'last_read_post_number', is: '>' as const, value: '0' }],
  }
  yield* pagesInTurn(tables, [read], after, (rows) =>
    rows.map((row) => ({
      threadId: id(row, 'topic_id'),
      memberId: id(row, 'user_id'),
      number: integer(row, 'last_read_post_number'),
      at: dateTime(row, 'last_visited_at'),
    })),
  )
}
