import { rowsBy } from '#importer/server/tables/pages.ts'
import { integer, type Row } from '#importer/server/tables/source-tables.ts'
import { id, isSet, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

export const comment = 'comment'

/** What tells of discussions whether they come, as threads or as messages. */
export const discussionColumns = ['id', 'title', 'first_post_id', 'hidden_at', 'is_private', 'is_approved']

/** Waiting for approval. Without the extension nothing waits. */
export function isPending(row: Row): boolean {
  return row['is_approved'] !== undefined && !isSet(row, 'is_approved')
}

export type Recipients = ReadonlyMap<string, readonly Row[]>

/** The rows of those whom discussions were addressed to, also of those who left, by the discussion. */
export function recipientsOf({ tables, table }: Flarum, discussionIds: readonly string[]): Promise<Map<string, Row[]>> {
  return rowsBy(
    tables,
    { table: table('recipients'), columns: ['user_id', 'group_id', 'removed_at'], column: 'discussion_id' },
    discussionIds,
  )
}

/**
 * Whether only some may read it. A discussion is private while it has recipients; one that all of them left is hidden, and one that was made
 * public is not. Whatever else an extension keeps private is so too, but for what only waits for approval.
 */
export function isPrivate(row: Row, recipients: Recipients): boolean {
  const its = recipients.get(id(row, 'id')) ?? []
  if (its.some((one) => timeOf(one, 'removed_at') === null)) return true
  if (its.length > 0 && timeOf(row, 'hidden_at') !== null) return true
  return isSet(row, 'is_private') && (its.length > 0 || !isPending(row))
}

/** A post that an extension keeps private, and that does not only wait for approval. */
export function isPrivatePost(row: Row): boolean {
  return isSet(row, 'is_private') && !isPending(row)
}

/** The ids of the posts that open discussions: where the first was deleted for ever, the next comment that is left. */
export async function openingsOf(flarum: Flarum, discussions: readonly Row[]): Promise<Map<string, string>> {
  const { tables, table } = flarum
  const wanted = ['id', 'discussion_id', 'number', 'type', 'is_private', 'is_approved']
  const posts = { table: table('posts'), columns: await flarum.columnsOf(table('posts'), wanted) }
  const first = await rowsBy(
    tables,
    { ...posts, column: 'id' },
    discussions.map((row) => id(row, 'first_post_id')),
  )
  const openings = new Map<string, string>()
  for (const row of discussions) {
    const post = first.get(id(row, 'first_post_id'))?.find((one) => id(one, 'discussion_id') === id(row, 'id'))
    if (post && isOpenComment(flarum, post)) openings.set(id(row, 'id'), id(post, 'id'))
  }
  const others = discussions.map((row) => id(row, 'id')).filter((its) => !openings.has(its))
  for (const [discussion, rows] of await rowsBy(tables, { ...posts, column: 'discussion_id' }, others)) {
    const comments = rows.filter((row) => isOpenComment(flarum, row))
    const [next] = comments.toSorted((one, other) => placeOf(one) - placeOf(other) || Number(id(one, 'id')) - Number(id(other, 'id')))
    if (next) openings.set(discussion, id(next, 'id'))
  }
  return openings
}

/** A comment of which everybody knows who sees the discussion: no event, and nothing that an extension keeps private. */
function isOpenComment(flarum: Flarum, post: Row): boolean {
  return plainText(flarum, post, 'type') === comment && !isPrivatePost(post)
}

/** Posts that another program's import wrote may lack a number; they stand last. */
function placeOf(post: Row): number {
  return integer(post, 'number') || Number.MAX_SAFE_INTEGER
}
