import type { Kind } from '#importer/server/source.ts'
import type { SourceLeftOut } from '#importer/server/source-report.ts'
import { countIn, leftOutOf } from '#importer/server/tables/reading.ts'
import type { Condition } from '#importer/server/tables/source-tables.ts'
import { anonymous, escapedText, type Phpbb } from '#importer/server/phpbb/source.ts'

const is = (column: string, value: string): Condition => ({ column, is: '=', value })
const shadows = [is('topic_status', '2')]

/** About how many rows a kind has. Each topic but a shadow has one of the posts as its opening. */
export async function countOf({ tables, table }: Phpbb, kind: Kind): Promise<number> {
  const rowsIn = (...names: string[]) =>
    countIn(
      tables,
      names.map((name) => ({ table: table(name) })),
    )
  const moved = () => countIn(tables, [{ table: table('topics'), where: shadows }])
  switch (kind) {
    case 'groups':
      return rowsIn('groups')
    case 'tags':
      return rowsIn('forums')
    // All but the account of visitors.
    case 'members':
      return countIn(tables, [{ table: table('users'), where: [{ column: 'user_id', is: '>', value: anonymous }] }])
    case 'files':
      return rowsIn('attachments')
    case 'threads':
      return rowsIn('topics')
    case 'moved':
      return moved()
    case 'comments':
      return Math.max(0, (await rowsIn('posts')) - (await rowsIn('topics')) + (await moved()))
    case 'votes':
      return rowsIn('poll_votes')
    case 'favourites':
      return rowsIn('bookmarks')
    case 'follows':
      return rowsIn('topics_watch', 'forums_watch')
    case 'messages':
      return rowsIn('privmsgs')
    case 'accepted':
    case 'unlocks':
    case 'likes':
    case 'readPositions':
      return 0
  }
}

/** What does not come as a row of its kind. */
export function leftOut(phpbb: Phpbb): Promise<SourceLeftOut<Kind>[]> {
  const { tables, table } = phpbb
  return leftOutOf(tables, [
    {
      kind: 'tags',
      why: 'link to another site',
      table: table('forums'),
      where: [is('forum_type', '2')],
      id: 'forum_id',
      columns: ['forum_name'],
      name: (row) => escapedText(phpbb, row, 'forum_name'),
    },
    {
      kind: 'members',
      why: 'robot',
      table: table('users'),
      where: [is('user_type', '2'), { column: 'user_id', is: '>', value: anonymous }],
      id: 'user_id',
      columns: ['username'],
      name: (row) => escapedText(phpbb, row, 'username'),
    },
    { kind: 'files', why: 'file that was never sent', table: table('attachments'), where: [is('is_orphan', '1')], id: 'attach_id' },
    { kind: 'threads', why: 'moved thread, whose address leads on', table: table('topics'), where: shadows, id: 'topic_id' },
  ])
}
