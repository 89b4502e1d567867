import { documentFromPhpbb } from '#importer/server/body/phpbb-bbcode.ts'
import type { Page, Range, SourceFavourite, SourceFile, SourceFollow, SourceMessage, SourceVote } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesInTurn, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, flag, integer, text, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { escapedText, type Phpbb } from '#importer/server/phpbb/source.ts'

/** Files that a post or message shows. One that nobody sent belongs to none. */
export async function* files(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceFile>> {
  const columns = ['attach_id', 'poster_id', 'is_orphan', 'physical_filename', 'real_filename']
  const read = {
    table: phpbb.table('attachments'),
    columns,
    keys: numberKeys('attach_id'),
    where: idsBetween('attach_id', since, upto),
    perPage: 20,
  }
  yield* pagesOf(phpbb.tables, read, after, (rows) =>
    rows.flatMap((row) => {
      // The name on the disk is the program's own; anything else would lead out of the folder.
      const stored = text(row, 'physical_filename', phpbb.decode).split(/[/\\]/).at(-1) ?? ''
      if (flag(row, 'is_orphan') || stored === '') return []
      const path = `${phpbb.config.get('upload_path') ?? 'files'}/${stored}`
      return [{ id: id(row, 'attach_id'), ownerId: id(row, 'poster_id'), path, name: escapedText(phpbb, row, 'real_filename') }]
    }),
  )
}

/** A member's votes in a poll are a row each. */
export async function* votes(phpbb: Phpbb, { after }: Range): AsyncGenerator<Page<SourceVote>> {
  const read = {
    table: phpbb.table('poll_votes'),
    columns: ['topic_id', 'vote_user_id'],
    keys: numberKeys('topic_id', 'vote_user_id', 'poll_option_id'),
  }
  yield* pagesInTurn(phpbb.tables, [read], after, async (rows) => {
    const all = await rowsBy(
      phpbb.tables,
      { table: read.table, columns: ['poll_option_id', 'vote_user_id'], column: 'topic_id' },
      rows.map((row) => id(row, 'topic_id')),
    )
    const voters = new Map(rows.map((row) => [`${id(row, 'topic_id')} ${id(row, 'vote_user_id')}`, row]))
    return [...voters.values()].map((row) => {
      const [threadId, memberId] = [id(row, 'topic_id'), id(row, 'vote_user_id')]
      const chosen = (all.get(threadId) ?? []).filter((one) => id(one, 'vote_user_id') === memberId)
      return { threadId, memberId, optionIds: chosen.map((one) => id(one, 'poll_option_id')), at: null }
    })
  })
}

export async function* favourites(phpbb: Phpbb, { after }: Range): AsyncGenerator<Page<SourceFavourite>> {
  const read = { table: phpbb.table('bookmarks'), columns: [], keys: numberKeys('topic_id', 'user_id') }
  yield* pagesInTurn(phpbb.tables, [read], after, (rows) =>
    rows.map((row) => ({ threadId: id(row, 'topic_id'), memberId: id(row, 'user_id'), at: null })),
  )
}

/** Watched topics and forums. */
export async function* follows(phpbb: Phpbb, { after }: Range): AsyncGenerator<Page<SourceFollow>> {
  const [topics, forums] = [phpbb.table('topics_watch'), phpbb.table('forums_watch')]
  const reads = [
    { table: topics, columns: [], keys: numberKeys('topic_id', 'user_id') },
    { table: forums, columns: [], keys: numberKeys('forum_id', 'user_id') },
  ]
  yield* pagesInTurn(phpbb.tables, reads, after, (rows, table) => {
    const [of, column] = table === topics ? (['thread', 'topic_id'] as const) : (['tag', 'forum_id'] as const)
    return rows.map((row): SourceFollow => ({ of, id: id(row, column), memberId: id(row, 'user_id'), level: 'watching', at: null }))
  })
}

/** Private messages. Whoever received one has a row of it, whatever became of it there. */
export async function* messages(phpbb: Phpbb, { after, since, upto }: Range): AsyncGenerator<Page<SourceMessage>> {
  const columns = ['msg_id', 'author_id', 'message_time', 'message_subject', 'message_text', 'bbcode_uid']
  const read = { table: phpbb.table('privmsgs'), columns, keys: numberKeys('msg_id'), where: idsBetween('msg_id', since, upto) }
  yield* pagesInTurn(phpbb.tables, [read], after, async (rows) => {
    const copies = await rowsBy(
      phpbb.tables,
      { table: phpbb.table('privmsgs_to'), columns: ['user_id', 'pm_unread'], column: 'msg_id' },
      rows.map((row) => id(row, 'msg_id')),
    )
    return rows.map((row) => messageOf(phpbb, row, copies.get(id(row, 'msg_id')) ?? []))
  })
}

function messageOf(phpbb: Phpbb, row: Row, copies: readonly Row[]): SourceMessage {
  const authorId = id(row, 'author_id')
  const readers = copies.filter((copy) => id(copy, 'user_id') !== authorId)
  const bbcodeUid = text(row, 'bbcode_uid', phpbb.decode)
  return {
    id: id(row, 'msg_id'),
    authorId,
    readerIds: [...new Set(readers.map((copy) => id(copy, 'user_id')))],
    title: escapedText(phpbb, row, 'message_subject'),
    body: documentFromPhpbb(text(row, 'message_text', phpbb.decode), { bbcodeUid }),
    sentAt: unixTime(row, 'message_time') ?? new Date(0),
    isRead: readers.every((copy) => integer(copy, 'pm_unread') === 0),
  }
}
