import type { Kind } from '#importer/server/source.ts'
import type { SourceLeftOut } from '#importer/server/source-report.ts'
import { countIn, leftOutOf } from '#importer/server/tables/reading.ts'
import type { Condition } from '#importer/server/tables/source-tables.ts'
import { postTables } from '#importer/server/discuz/posts.ts'
import type { Discuz } from '#importer/server/discuz/source.ts'

type Counted = { table: string; where?: readonly Condition[] }
const is = (column: string, value: string): Condition => ({ column, is: '=', value })
const moved: Condition = { column: 'closed', is: '>', value: '1' }

/** About how many rows a kind has. */
export async function countOf(discuz: Discuz, kind: Kind): Promise<number> {
  return countIn(discuz.tables, await countedBy(discuz, kind))
}

async function countedBy(discuz: Discuz, kind: Kind): Promise<Counted[]> {
  const { table, ucenter } = discuz
  const favourites = (of: string) => ({ table: table('home_favorite'), where: [is('idtype', of)] })
  switch (kind) {
    case 'groups':
      return [{ table: table('common_usergroup') }]
    case 'tags':
      return [{ table: table('forum_forum') }]
    case 'members':
      return [{ table: table('common_member') }, { table: `${table('common_member')}_archive` }]
    case 'files':
      return [{ table: table('forum_attachment') }]
    case 'threads':
      return [{ table: table('forum_thread') }]
    case 'moved':
      return [{ table: table('forum_thread'), where: [moved] }]
    case 'comments': {
      const posts = await postTables(discuz)
      return [...posts.map((name) => ({ table: name, where: [is('first', '0')] })), { table: table('forum_postcomment') }]
    }
    case 'votes':
      return [{ table: table('forum_pollvoter') }]
    case 'unlocks':
      return [{ table: table('common_credit_log'), where: [is('operation', 'BTC')] }]
    case 'likes':
      return [{ table: table('forum_memberrecommend') }, { table: table('forum_hotreply_member') }]
    case 'favourites':
      return [favourites('tid')]
    case 'follows':
      return [favourites('fid'), { table: table('home_follow') }]
    case 'messages':
      return [...'0123456789'].map((digit) => ({ table: `${ucenter('pm_messages')}_${digit}` }))
    case 'accepted':
    case 'readPositions':
      return []
  }
}

/** What does not come as a row of its kind. */
export function leftOut({ tables, table }: Discuz): Promise<SourceLeftOut<Kind>[]> {
  const threads = { kind: 'threads' as const, table: table('forum_thread'), id: 'tid' }
  return leftOutOf(tables, [
    { ...threads, why: 'moved thread, whose address leads on', where: [moved] },
    { ...threads, why: 'draft', where: [is('displayorder', '-4'), { column: 'closed', is: '<=', value: '1' }] },
    { kind: 'files', why: 'file that was never sent', table: table('forum_attachment'), where: [is('tableid', '127')], id: 'aid' },
    {
      kind: 'comments',
      why: 'average of ratings',
      table: table('forum_postcomment'),
      where: [{ column: 'authorid', is: '<=', value: '-1' }],
      id: 'id',
    },
  ])
}
