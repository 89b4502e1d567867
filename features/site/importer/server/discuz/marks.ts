import { documentFromDiscuz } from '#importer/server/body/discuz-code.ts'
import type {
  Page,
  Range,
  SourceFavourite,
  SourceFile,
  SourceFollow,
  SourceLike,
  SourceMessage,
  SourceUnlock,
  SourceVote,
} from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { postTables } from '#importer/server/discuz/posts.ts'
import { plainText, tabbed, type Discuz } from '#importer/server/discuz/source.ts'

/** Files of posts lie in ten tables by the last digit of their thread; what was uploaded and never sent is in none of them. */
export async function* files(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceFile>> {
  const columns = ['aid', 'uid', 'filename', 'attachment', 'remote']
  const reads = [...'0123456789'].map((digit) => ({
    table: `${discuz.table('forum_attachment')}_${digit}`,
    columns,
    keys: numberKeys('aid'),
    where: idsBetween('aid', since, upto),
    perPage: 20,
  }))
  yield* pagesInTurn(discuz.tables, reads, after, (rows) =>
    rows.map((row) => {
      const stored = text(row, 'attachment', discuz.decode)
      // A file on another server is not in the folder.
      const path = integer(row, 'remote') > 0 ? `remote/${stored}` : `data/attachment/forum/${stored}`
      return { id: id(row, 'aid'), ownerId: id(row, 'uid'), path, name: plainText(discuz, row, 'filename') }
    }),
  )
}

export async function* votes(discuz: Discuz, { after }: Range): AsyncGenerator<Page<SourceVote>> {
  const read = { table: discuz.table('forum_pollvoter'), columns: ['tid', 'uid', 'options', 'dateline'], keys: numberKeys('tid', 'uid') }
  yield* pagesInTurn(discuz.tables, [read], after, (rows) =>
    rows.flatMap((row) => {
      const optionIds = tabbed(text(row, 'options', discuz.decode).replaceAll(/\s/g, '\t'))
      return id(row, 'uid') === '0'
        ? []
        : [{ threadId: id(row, 'tid'), memberId: id(row, 'uid'), optionIds, at: unixTime(row, 'dateline') }]
    }),
  )
}

/** Whoever paid for a thread has an entry in the log of credits: the operation BTC of that thread. */
export async function* unlocks(discuz: Discuz, { after }: Range): AsyncGenerator<Page<SourceUnlock>> {
  const where = [{ column: 'operation', is: '=' as const, value: 'BTC' }]
  const read = { table: discuz.table('common_credit_log'), columns: ['logid', 'uid', 'relatedid'], keys: numberKeys('logid'), where }
  yield* pagesInTurn(discuz.tables, [read], after, (rows) =>
    rows.map((row) => ({ threadId: id(row, 'relatedid'), memberId: id(row, 'uid') })),
  )
}

export async function* likes(discuz: Discuz, { after }: Range): AsyncGenerator<Page<SourceLike>> {
  const threads = { table: discuz.table('forum_memberrecommend'), columns: ['dateline'], keys: numberKeys('tid', 'recommenduid') }
  const posts = { table: discuz.table('forum_hotreply_member'), columns: ['attitude'], keys: numberKeys('tid', 'pid', 'uid') }
  yield* pagesInTurn(discuz.tables, [threads, posts], after, async (rows) => {
    const openings = await openingsOf(
      discuz,
      rows.flatMap((row) => (row['recommenduid'] === undefined ? [] : [id(row, 'tid')])),
    )
    return rows.flatMap((row): SourceLike[] => {
      if (row['recommenduid'] === undefined)
        return integer(row, 'attitude') === 1 ? [{ postId: id(row, 'pid'), memberId: id(row, 'uid'), at: null }] : []
      const postId = openings.get(id(row, 'tid'))
      return postId === undefined ? [] : [{ postId, memberId: id(row, 'recommenduid'), at: unixTime(row, 'dateline') }]
    })
  })
}

async function openingsOf(discuz: Discuz, tids: readonly string[]): Promise<Map<string, string>> {
  const openings = new Map<string, string>()
  for (const table of await postTables(discuz)) {
    const rows = await rowsBy(discuz.tables, { table, columns: ['pid', 'first'], column: 'tid', order: ['position'] }, tids)
    for (const [tid, its] of rows) for (const row of its) if (integer(row, 'first') === 1) openings.set(tid, id(row, 'pid'))
  }
  return openings
}

export async function* favourites(discuz: Discuz, { after }: Range): AsyncGenerator<Page<SourceFavourite>> {
  const where = [{ column: 'idtype', is: '=' as const, value: 'tid' }]
  const read = { table: discuz.table('home_favorite'), columns: ['favid', 'uid', 'id', 'dateline'], keys: numberKeys('favid'), where }
  yield* pagesInTurn(discuz.tables, [read], after, (rows) =>
    rows.map((row) => ({ threadId: id(row, 'id'), memberId: id(row, 'uid'), at: unixTime(row, 'dateline') })),
  )
}

/** Favourite forums, and members who are listened to. */
export async function* follows(discuz: Discuz, { after }: Range): AsyncGenerator<Page<SourceFollow>> {
  const where = [{ column: 'idtype', is: '=' as const, value: 'fid' }]
  const forums = { table: discuz.table('home_favorite'), columns: ['favid', 'uid', 'id', 'dateline'], keys: numberKeys('favid'), where }
  const people = { table: discuz.table('home_follow'), columns: ['dateline'], keys: numberKeys('uid', 'followuid') }
  yield* pagesInTurn(discuz.tables, [forums, people], after, (rows) =>
    rows.map((row): SourceFollow => {
      const its = { memberId: id(row, 'uid'), at: unixTime(row, 'dateline') }
      if (row['favid'] !== undefined) return { of: 'tag', id: id(row, 'id'), level: 'tracking', ...its }
      return { of: 'member', id: id(row, 'followuid'), level: 'watching', ...its }
    }),
  )
}

/** Messages of UCenter lie in ten tables by the last digit of their conversation. */
export async function* messages(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceMessage>> {
  const reads = [...'0123456789'].map((digit) => ({
    table: `${discuz.ucenter('pm_messages')}_${digit}`,
    columns: ['pmid', 'plid', 'authorid', 'message', 'dateline'],
    keys: numberKeys('pmid'),
    where: idsBetween('pmid', since, upto),
  }))
  yield* pagesInTurn(discuz.tables, reads, after, async (rows) => {
    const people = await rowsBy(
      discuz.tables,
      { table: discuz.ucenter('pm_members'), columns: ['uid', 'isnew'], column: 'plid' },
      rows.map((row) => id(row, 'plid')),
    )
    return rows.map((row) => messageOf(discuz, row, people.get(id(row, 'plid')) ?? []))
  })
}

function messageOf(discuz: Discuz, row: Row, people: readonly Row[]): SourceMessage {
  const authorId = id(row, 'authorid')
  const readers = people.filter((one) => id(one, 'uid') !== authorId)
  const sentAt = unixTime(row, 'dateline') ?? new Date(0)
  const charset = discuz.isGbk ? ('gbk' as const) : ('utf8' as const)
  const written = text(row, 'message', discuz.decode)
  const { document, notes } = documentFromDiscuz(written, { hides: true, withheld: '', charset, publishedAt: sentAt, now: discuz.now })
  // A message hides nothing from its reader.
  const content = document.content.flatMap((block) => (block.type === 'hidden' ? (block.content ?? []) : [block]))
  return {
    id: id(row, 'pmid'),
    authorId,
    readerIds: readers.map((one) => id(one, 'uid')),
    title: '',
    body: { document: { type: 'doc', content }, notes },
    sentAt,
    isRead: readers.every((one) => integer(one, 'isnew') === 0),
  }
}
