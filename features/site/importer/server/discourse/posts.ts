import { bodiesOf, bodyColumns } from '#importer/server/discourse/bodies.ts'
import { str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourceAuthor, SourceComment, SourcePost } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

export const postColumns = [
  ...bodyColumns,
  'user_id',
  'topic_id',
  'post_number',
  'post_type',
  'created_at',
  'last_version_at',
  'public_version',
  'reply_to_post_number',
  'deleted_at',
  'hidden',
  'user_deleted',
]
export const archetypes = ['regular', 'banner']

const regular = 1
const moderator = 2
const whisper = 4

/** A post as members write them: not a note of what happened to the topic, and not a whisper among staff. */
export function isWritten(row: Row): boolean {
  return [regular, moderator].includes(integer(row, 'post_type'))
}

/** Deleted, withdrawn by its author, or hidden because members reported it. */
export function isGone(row: Row): boolean {
  return row['deleted_at'] !== null || flag(row, 'hidden') || flag(row, 'user_deleted')
}

/** Posts in the order of the rows; `polls` are the names of those that come as such, by post. */
export async function postsOf(
  discourse: Discourse,
  rows: readonly Row[],
  polls: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Promise<SourcePost[]> {
  const authors = await authorsOf(discourse, rows)
  const bodies = await bodiesOf(
    discourse,
    rows.map((row) => ({ row, polls: polls.get(id(row, 'id')) ?? new Set() })),
  )
  return rows.map((row, at) => ({
    id: id(row, 'id'),
    author: authors(row),
    body: bodies[at] ?? nothing,
    publishedAt: dateTime(row, 'created_at') ?? new Date(0),
    editedAt: integer(row, 'public_version') > 1 ? dateTime(row, 'last_version_at') : null,
    state: isGone(row) ? 'deleted' : 'published',
    fileIds: [],
  }))
}

const nothing: SourcePost['body'] = { document: { type: 'doc', content: [{ type: 'paragraph' }] }, notes: [] }

/** Accounts of the program itself did not come; their posts keep its name. */
async function authorsOf({ tables }: Discourse, rows: readonly Row[]): Promise<(row: Row) => SourceAuthor> {
  const ids = rows.flatMap((row) => (row['user_id'] ? [id(row, 'user_id')] : []))
  const people = await rowsBy(tables, { table: 'users', columns: ['username'], column: 'id' }, ids)
  return (row) => {
    const [author] = people.get(id(row, 'user_id')) ?? []
    if (!author) return { guestName: '' }
    const name = str(author, 'username')
    return integer(row, 'user_id') > 0 ? { memberId: id(row, 'user_id'), name } : { guestName: name }
  }
}

/** All posts but the first of each topic, by topic and number. Those of private messages are no comments. */
export async function* comments(discourse: Discourse, { after, since, upto }: Range): AsyncGenerator<Page<SourceComment>> {
  const keys = numberKeys('topic_id', 'post_number')
  const read = { table: 'posts', columns: postColumns, keys, where: idsBetween('id', since, upto) }
  yield* pagesOf(discourse.tables, read, after, async (rows) => {
    const topics = await publicTopics(
      discourse,
      rows.map((row) => id(row, 'topic_id')),
    )
    const coming = rows.filter((row) => topics.has(id(row, 'topic_id')) && integer(row, 'post_number') > 1)
    const written = coming.filter(isWritten)
    const [posts, answered] = [await postsOf(discourse, written), await answeredBy(discourse, written)]
    const byId = new Map(posts.map((post) => [post.id, post]))
    return coming.flatMap((row): SourceComment[] => {
      const post = byId.get(id(row, 'id')) ?? whisperOf(row)
      if (!post) return []
      const [threadId, number] = [id(row, 'topic_id'), integer(row, 'post_number')]
      return [{ ...post, threadId, number, answersId: answered(row), belowId: null }]
    })
  })
}

/** The floor of a whisper, without its words and its author: only staff knew of it. */
function whisperOf(row: Row): SourcePost | null {
  if (integer(row, 'post_type') !== whisper) return null
  const [author, body] = [{ guestName: '' }, { ...nothing, notes: ['whisper among staff, left out'] }]
  const publishedAt = dateTime(row, 'created_at') ?? new Date(0)
  return { id: id(row, 'id'), author, body, publishedAt, editedAt: null, state: 'deleted', fileIds: [] }
}

async function publicTopics({ tables }: Discourse, ids: readonly string[]): Promise<Set<string>> {
  const found = await rowsBy(tables, { table: 'topics', columns: ['archetype'], column: 'id' }, ids)
  const rows = [...found.values()].flat()
  return new Set(rows.flatMap((row) => (archetypes.includes(str(row, 'archetype')) ? [id(row, 'id')] : [])))
}

/** The id of the post that each of some posts answers, which they name by its number in the topic. */
async function answeredBy({ tables }: Discourse, rows: readonly Row[]): Promise<(row: Row) => string | null> {
  const replies = rows.filter((row) => row['reply_to_post_number'] !== null)
  const [topics, numbers] = [
    [...new Set(replies.map((row) => id(row, 'topic_id')))],
    [...new Set(replies.map((row) => id(row, 'reply_to_post_number')))],
  ]
  const keys = numberKeys('topic_id', 'post_number')
  const where = [
    { column: 'topic_id', is: 'in' as const, values: topics },
    { column: 'post_number', is: 'in' as const, values: numbers },
  ]
  const ids = new Map<string, string>()
  if (replies.length > 0)
    for await (const page of pagesOf(
      tables,
      { table: 'posts', columns: ['id', 'topic_id', 'post_number'], keys, where },
      null,
      (some) => some,
    ))
      for (const row of page.rows) ids.set(`${id(row, 'topic_id')} ${id(row, 'post_number')}`, id(row, 'id'))
  return (row) => ids.get(`${id(row, 'topic_id')} ${id(row, 'reply_to_post_number')}`) ?? null
}
