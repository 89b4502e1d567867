import type { Kind, Reader } from '#importer/server/source.ts'
import { accepted, moved, threads } from '#importer/server/discuz/threads.ts'
import { countOf, leftOut } from '#importer/server/discuz/counts.ts'
import { forums } from '#importer/server/discuz/forums.ts'
import * as its from '#importer/server/discuz/marks.ts'
import { groups, members, staff } from '#importer/server/discuz/members.ts'
import { comments, markOf } from '#importer/server/discuz/posts.ts'
import { settingsOf } from '#importer/server/discuz/settings.ts'
import type { Discuz } from '#importer/server/discuz/source.ts'
import { assertProgram } from '#importer/server/tables/assert-program.ts'
import { decoderOf } from '#importer/server/tables/decoder-of.ts'
import { inOnePage, noRows } from '#importer/server/tables/reading.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

type Options = { prefix?: string | undefined; charset?: string | undefined }

/** A Discuz! X3.4 or X3.5, with UCenter beside it. */
export async function openDiscuz(tables: SourceTables, files: SourceFiles, { prefix = 'pre_', charset }: Options = {}): Promise<Reader> {
  const table = (name: string) => `${prefix}${name}`
  const ucenter = (name: string) => `${prefix}ucenter_${name}`
  await assertProgram(tables, 'Discuz!', prefix, ['common_member', 'forum_forum', 'forum_thread', 'forum_post'].map(table))
  const sampled = [
    [table('common_member'), 'username'],
    [table('forum_thread'), 'subject'],
    [table('forum_post'), 'message'],
  ] as const
  const { decode, name, texts } = await decoderOf(tables, sampled, charset ?? null)
  const settings = await settingsOf(tables, table, decode)
  const discuz: Discuz = { tables, table, ucenter, decode, isGbk: name.startsWith('gbk'), settings, now: new Date() }
  return {
    program: 'discuz',
    version: 'X3',
    title: settings.title,
    origins: settings.origin === '' ? [] : [settings.origin],
    credits: [...settings.credits].map(([id, title]) => ({ id, name: title })),
    hasFloors: true,
    addressRules: { postsPerPage: String(settings.postsPerPage) },
    staff: () => staff(discuz),
    texts,
    leftOut: () => leftOut(discuz),
    count: (kind) => countOf(discuz, kind),
    marks: () => marks(discuz),
    rows: {
      groups: inOnePage(() => groups(discuz)),
      tags: inOnePage(() => forums(discuz)),
      members: (range) => members(discuz, range),
      files: (range) => its.files(discuz, range),
      threads: (range) => threads(discuz, range),
      moved: (range) => moved(discuz, range),
      comments: (range) => comments(discuz, range),
      accepted: (range) => accepted(discuz, range),
      votes: (range) => its.votes(discuz, range),
      unlocks: (range) => its.unlocks(discuz, range),
      likes: (range) => its.likes(discuz, range),
      favourites: (range) => its.favourites(discuz, range),
      follows: (range) => its.follows(discuz, range),
      readPositions: noRows,
      messages: (range) => its.messages(discuz, range),
    },
    bytesOf: files.bytesOf,
    close: () => tables.close(),
  }
}

/** The highest ids. Those of posts and files are given by tables of their own, whatever table they lie in. */
async function marks({ tables, table, ucenter }: Discuz): Promise<Partial<Record<Kind, string>>> {
  const present = await tables.tables()
  const highest = async (name: string, column: string) => (present.includes(name) ? ((await tables.max(name, column)) ?? '0') : '0')
  const larger = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)
  const threadMark = await highest(table('forum_thread'), 'tid')
  const lastPost = larger(await highest(table('forum_post_tableid'), 'pid'), await highest(table('forum_post'), 'pid'))
  return {
    members: larger(await highest(table('common_member'), 'uid'), await highest(`${table('common_member')}_archive`, 'uid')),
    files: await highest(table('forum_attachment'), 'aid'),
    threads: threadMark,
    moved: threadMark,
    accepted: threadMark,
    comments: markOf(lastPost, await highest(table('forum_postcomment'), 'id')),
    messages: await highest(ucenter('pm_indexes'), 'pmid'),
  }
}
