import { z } from 'zod'
import type { Kind, Range, Reader } from '#importer/server/source.ts'
import { commentTables, comments } from '#importer/server/diyhi/comments.ts'
import { files as filesOfPosts, fileTables } from '#importer/server/diyhi/files.ts'
import * as marks from '#importer/server/diyhi/marks.ts'
import { credits, groups, members, staff, staffNames } from '#importer/server/diyhi/members.ts'
import { messages } from '#importer/server/diyhi/messages.ts'
import { votes } from '#importer/server/diyhi/polls.ts'
import { clockOf, shardsOf, type Diyhi } from '#importer/server/diyhi/source.ts'
import { json, tags } from '#importer/server/diyhi/tags.ts'
import { accepted, threads } from '#importer/server/diyhi/threads.ts'
import { assertProgram } from '#importer/server/tables/assert-program.ts'
import { decoderOf } from '#importer/server/tables/decoder-of.ts'
import { allRows, numberKeys } from '#importer/server/tables/pages.ts'
import { inOnePage, noRows } from '#importer/server/tables/reading.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import { text, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** A diyhi/bbs 7, whose tables have no prefix. Its own address stands nowhere in them. */
export async function openDiyhi(tables: SourceTables, files: SourceFiles): Promise<Reader> {
  await assertProgram(tables, 'diyhi/bbs', '', ['user', 'tag', 'topic', 'comment', 'question', 'userrole'])
  const { decode } = await decoderOf(tables, [
    ['user', 'account'],
    ['topic', 'title'],
    ['comment', 'content'],
  ])
  const [ahead, staffByAccount] = [await clockOf(tables), await staffNames({ tables, decode })]
  const diyhi: Diyhi = { tables, decode, ahead, staff: staffByAccount }
  const reading =
    <T>(read: (diyhi: Diyhi, range: Range) => T) =>
    (range: Range) =>
      read(diyhi, range)
  const [settings] = await allRows(tables, { table: 'systemsetting', columns: ['id', 'title'], keys: numberKeys('id') })
  return {
    program: 'diyhi',
    version: '7',
    title: (settings && text(settings, 'title', decode)) || 'diyhi/bbs',
    origins: [],
    credits,
    hasFloors: false,
    addressRules: await addressRules(diyhi),
    highestIds: await highestInAddresses(tables),
    staff: () => staff(diyhi),
    count: (kind) => countIn(tables, counted[kind] ?? []),
    marks: () => marksOf(tables),
    rows: {
      groups: inOnePage(() => groups(diyhi)),
      tags: inOnePage(() => tags(diyhi)),
      members: reading(members),
      files: reading(filesOfPosts),
      threads: reading(threads),
      moved: noRows,
      comments: reading(comments),
      accepted: reading(accepted),
      votes: reading(votes),
      unlocks: reading(marks.unlocks),
      likes: reading(marks.likes),
      favourites: reading(marks.favourites),
      follows: reading(marks.follows),
      readPositions: noRows,
      messages: reading(messages),
    },
    bytesOf: files.bytesOf,
    close: () => tables.close(),
  }
}

const counted: { [K in Kind]?: readonly string[] } = {
  groups: ['userrole'],
  tags: ['tag', 'questiontag'],
  members: ['user'],
  threads: ['topic', 'question'],
  comments: commentTables,
  votes: ['voterecord'],
  unlocks: shardsOf('topicunhide'),
  likes: shardsOf('like'),
  favourites: shardsOf('favorites'),
  follows: shardsOf('follow'),
  messages: shardsOf('privatemessage'),
}

async function countIn(tables: SourceTables, wanted: readonly string[]): Promise<number> {
  const present = await tables.tables()
  let count = 0
  for (const table of wanted) if (present.includes(table)) count += await tables.count(table)
  return count
}

/** The highest ids, for each of a kind's tables; messages have no numbers, but a time. */
async function marksOf(tables: SourceTables): Promise<Partial<Record<Kind, string>>> {
  const highest = async (of: readonly string[]) => (await highestIds(tables, of)).join(' ')
  return {
    members: await highest(['user']),
    files: await highest(fileTables),
    threads: await highest(['topic', 'question']),
    comments: await highest(commentTables),
    messages: await highestOf(tables, shardsOf('privatemessage'), 'sendTimeFormat'),
  }
}

async function highestInAddresses(tables: SourceTables): Promise<NonNullable<Reader['highestIds']>> {
  return {
    topic: await highestOf(tables, ['topic', 'question']),
    comment: await highestOf(tables, ['comment', 'answer']),
    reply: await highestOf(tables, ['reply', 'answerreply']),
  }
}

async function highestOf(tables: SourceTables, of: readonly string[], column = 'id'): Promise<string> {
  return String(Math.max(...(await highestIds(tables, of, column)).map(Number)))
}

async function highestIds(tables: SourceTables, of: readonly string[], column = 'id'): Promise<string[]> {
  const present = await tables.tables()
  const found: string[] = []
  for (const table of of) found.push(present.includes(table) ? ((await tables.max(table, column)) ?? '0') : '0')
  return found
}

const Page = z.object({ maxResult: z.number().int().positive().max(1_000), sort: z.literal(2) })
const pages = { commentsPerPage: 'CUSTOM_6010300', answersPerPage: 'CUSTOM_6020300' } as const

/** How many comments and answers a page has, where it begins with the oldest. */
async function addressRules({ tables, decode }: Diyhi): Promise<Record<string, string>> {
  const columns = ['id', 'routeEnumMapper', 'configData']
  const rows = await allRows(tables, { table: 'frontendapi', columns, keys: numberKeys('id') })
  return Object.fromEntries(
    Object.entries(pages).flatMap(([rule, route]) => {
      const row = rows.find((one) => text(one, 'routeEnumMapper', decode) === route)
      const page = Page.safeParse(row ? json(text(row, 'configData', decode)) : null)
      return page.success ? [[rule, String(page.data.maxResult)]] : []
    }),
  )
}
