import type { Page, Range, SourceAccepted, SourceThread } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf } from '#importer/server/tables/pages.ts'
import { integer, type Row } from '#importer/server/tables/source-tables.ts'
import { discussionColumns, isPending, isPrivate, openingsOf, recipientsOf } from '#importer/server/flarum/discussions.ts'
import { pollsOfPosts } from '#importer/server/flarum/polls.ts'
import { postsById } from '#importer/server/flarum/posts.ts'
import { id, isSet, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'
import { placesOf, type Place, type Tags } from '#importer/server/flarum/tags.ts'

const byId = numberKeys('id')
const further = ['is_sticky', 'is_locked', 'view_count', 'best_answer_post_id']

/** Discussions with the posts that open them. Private ones are messages. */
export async function* threads(flarum: Flarum, tags: Tags, { after, since, upto }: Range): AsyncGenerator<Page<SourceThread>> {
  const table = flarum.table('discussions')
  const columns = await flarum.columnsOf(table, [...discussionColumns, ...further])
  const read = { table, columns, keys: byId, where: idsBetween('id', since, upto), perPage: 200 }
  yield* pagesOf(flarum.tables, read, after, async (rows) => {
    const ids = rows.map((row) => id(row, 'id'))
    const recipients = await recipientsOf(flarum, ids)
    const open = rows.filter((row) => !isPrivate(row, recipients))
    const openings = await openingsOf(flarum, open)
    const [posts, placeOf] = [await postsById(flarum, [...openings.values()]), await placesOf(flarum, tags, ids)]
    const polls = await pollsOfPosts(flarum, openings)
    return open.flatMap((row): SourceThread[] => {
      const [its, opening] = [id(row, 'id'), posts.get(openings.get(id(row, 'id')) ?? '')]
      return opening ? [{ ...threadOf(flarum, row, opening, placeOf(its)), poll: polls.get(opening.id) ?? null }] : []
    })
  })
}

function threadOf(
  flarum: Flarum,
  row: Row,
  opening: SourceThread['opening'],
  { tag, others, isClosed, takesQuestions }: Place,
): SourceThread {
  const isAnswered = row['best_answer_post_id'] !== undefined && row['best_answer_post_id'] !== null
  const isHidden = isClosed || timeOf(row, 'hidden_at') !== null
  return {
    id: id(row, 'id'),
    tagId: tag.id,
    kind: takesQuestions || isAnswered ? 'question' : 'topic',
    title: plainText(flarum, row, 'title'),
    opening: { ...opening, state: isHidden ? 'deleted' : opening.state === 'published' && isPending(row) ? 'pending' : opening.state },
    pin: isSet(row, 'is_sticky') ? 1 : 0,
    isLocked: isSet(row, 'is_locked'),
    isFeatured: false,
    views: row['view_count'] === undefined ? 0 : integer(row, 'view_count'),
    tags: others.map(({ name }) => name),
    poll: null,
    bounties: [],
  }
}

/** The best answers that were chosen. */
export async function* accepted(flarum: Flarum, { after }: Range): AsyncGenerator<Page<SourceAccepted>> {
  const table = flarum.table('discussions')
  const [column] = await flarum.columnsOf(table, ['best_answer_post_id'])
  if (column === undefined) return
  const read = { table, columns: ['id', column], keys: byId, where: [{ column, is: '>' as const, value: '0' }] }
  yield* pagesOf(flarum.tables, read, after, (rows) => rows.map((row) => ({ threadId: id(row, 'id'), acceptedId: id(row, column) })))
}
