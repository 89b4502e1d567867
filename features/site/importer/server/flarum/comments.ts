import type { Page, Range, SourceComment } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { integer, type Condition, type Row } from '#importer/server/tables/source-tables.ts'
import { comment, discussionColumns, isPrivate, isPrivatePost, openingsOf, recipientsOf } from '#importer/server/flarum/discussions.ts'
import { postsWithPolls } from '#importer/server/flarum/polls.ts'
import { answeredIn, postColumnsOf, postsOf } from '#importer/server/flarum/posts.ts'
import { id, plainText, type Flarum } from '#importer/server/flarum/source.ts'

const unnumbered = 'without number '

/**
 * All comments but those that open a discussion, by discussion and number. Other types of posts are events, such as a new title: they take
 * numbers, which stay free. Comments that another program's import wrote without a number come behind all others.
 */
export async function* comments(flarum: Flarum, { after, since, upto }: Range): AsyncGenerator<Page<SourceComment>> {
  const ofType: Condition[] = [...idsBetween('id', since, upto), { column: 'type', is: '=', value: comment }]
  const numbered: Condition[] = [...ofType, { column: 'number', is: '>', value: '0' }]
  const read = { table: flarum.table('posts'), columns: await postColumnsOf(flarum) }
  const { tables } = flarum
  if (!after?.startsWith(unnumbered)) {
    const keys = numberKeys('discussion_id', 'number')
    yield* pagesOf(tables, { ...read, keys, where: numbered }, after, (rows) => commentsAmong(flarum, rows))
  }
  if ((await tables.count(read.table, ofType)) === (await tables.count(read.table, numbered))) return
  const place = after?.startsWith(unnumbered) ? after.slice(unnumbered.length) : null
  const rest = pagesOf(tables, { ...read, keys: numberKeys('discussion_id', 'id'), where: ofType }, place, (rows) =>
    commentsAmong(
      flarum,
      rows.filter((row) => integer(row, 'number') === 0),
    ),
  )
  for await (const { rows, cursor } of rest) yield { rows, cursor: unnumbered + cursor }
}

async function commentsAmong(flarum: Flarum, rows: readonly Row[]): Promise<SourceComment[]> {
  const table = flarum.table('discussions')
  const columns = await flarum.columnsOf(table, discussionColumns)
  const byId = await rowsBy(
    flarum.tables,
    { table, columns, column: 'id' },
    rows.map((row) => id(row, 'discussion_id')),
  )
  const discussions = [...byId.values()].flat()
  const recipients = await recipientsOf(flarum, [...byId.keys()])
  const open = discussions.filter((row) => !isPrivate(row, recipients))
  const openings = await openingsOf(flarum, open)
  const coming = rows.filter((row) => {
    const opening = openings.get(id(row, 'discussion_id'))
    return opening !== undefined && opening !== id(row, 'id') && !isPrivatePost(row)
  })
  const ids = coming.map((row) => id(row, 'id'))
  const [posts, withPolls] = [await postsOf(flarum, coming), await postsWithPolls(flarum, ids)]
  return coming.flatMap((row, at): SourceComment[] => {
    const post = posts[at]
    if (!post) return []
    const notes = withPolls.has(post.id) ? [...post.body.notes, 'poll in a comment'] : post.body.notes
    return [
      {
        ...post,
        body: { ...post.body, notes },
        threadId: id(row, 'discussion_id'),
        number: integer(row, 'number') || null,
        answersId: answeredIn(plainText(flarum, row, 'content')),
        belowId: null,
      },
    ]
  })
}
