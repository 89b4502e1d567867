import type { Read, Reader, SourceRows } from '#importer/server/source.ts'
import { decoderOf } from '#importer/server/tables/decoder-of.ts'
import { allRows } from '#importer/server/tables/pages.ts'
import { text, type SourceTables } from '#importer/server/tables/source-tables.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import { countOf, leftOut } from '#importer/server/phpbb/counts.ts'
import { forums, hasPermissions } from '#importer/server/phpbb/forums.ts'
import * as marks from '#importer/server/phpbb/marks.ts'
import { groups, members, staff } from '#importer/server/phpbb/members.ts'
import * as posts from '#importer/server/phpbb/posts.ts'
import type { Phpbb } from '#importer/server/phpbb/source.ts'
import { inOnePage, marksOf, noRows } from '#importer/server/tables/reading.ts'
import { assertProgram } from '#importer/server/tables/assert-program.ts'

/** A phpBB 3.2 or 3.3, or one that was upgraded to it. */
export async function openPhpbb(tables: SourceTables, files: SourceFiles, prefix = 'phpbb_'): Promise<Reader> {
  const table = (name: string) => `${prefix}${name}`
  await assertProgram(tables, 'phpBB', prefix, ['users', 'forums', 'topics', 'posts'].map(table))
  const { decode, texts } = await decoderOf(tables, [
    [table('users'), 'username'],
    [table('topics'), 'topic_title'],
    [table('posts'), 'post_text'],
  ])
  const config = await configIn(tables, table('config'), decode)
  const phpbb: Phpbb = { tables, table, decode, config }
  const stored = storedIn(table)
  return {
    program: 'phpbb',
    version: config.get('version') ?? '3',
    title: config.get('sitename') ?? 'phpBB',
    origins: originsIn(config),
    credits: [],
    hasFloors: false,
    addressRules: {},
    staff: () => staff(phpbb),
    texts,
    lacksPermissions: !(await hasPermissions(phpbb)),
    leftOut: () => leftOut(phpbb),
    count: (kind) => countOf(phpbb, kind),
    marks: () => marksOf(tables, stored),
    rows: {
      groups: inOnePage(() => groups(phpbb)),
      tags: inOnePage(() => forums(phpbb)),
      members: reading(phpbb, members),
      files: reading(phpbb, marks.files),
      threads: reading(phpbb, posts.threads),
      moved: reading(phpbb, posts.moved),
      comments: reading(phpbb, posts.comments),
      accepted: noRows,
      votes: reading(phpbb, marks.votes),
      unlocks: noRows,
      likes: noRows,
      favourites: reading(phpbb, marks.favourites),
      follows: reading(phpbb, marks.follows),
      readPositions: noRows,
      messages: reading(phpbb, marks.messages),
    },
    bytesOf: files.bytesOf,
    close: () => tables.close(),
  }
}

async function configIn(tables: SourceTables, table: string, decode: Phpbb['decode']): Promise<Phpbb['config']> {
  const rows = await allRows(tables, {
    table,
    columns: ['config_name', 'config_value'],
    keys: [{ column: 'config_name', kind: 'text' }],
  })
  return new Map(rows.map((row) => [text(row, 'config_name', decode), text(row, 'config_value', decode)]))
}

/** The tables of kinds that have ids, with them. */
function storedIn(table: (name: string) => string) {
  return {
    members: [table('users'), 'user_id'],
    files: [table('attachments'), 'attach_id'],
    threads: [table('topics'), 'topic_id'],
    moved: [table('topics'), 'topic_id'],
    comments: [table('posts'), 'post_id'],
    messages: [table('privmsgs'), 'msg_id'],
  } as const
}

type Rows = SourceRows[keyof SourceRows]

function reading<T extends Rows>(phpbb: Phpbb, read: (phpbb: Phpbb, range: Parameters<Read<T>>[0]) => ReturnType<Read<T>>): Read<T> {
  return (range) => read(phpbb, range)
}

function originsIn(config: ReadonlyMap<string, string>): string[] {
  const host = config.get('server_name')
  if (!host) return []
  const [protocol, port, path] = [
    config.get('server_protocol') ?? 'http://',
    config.get('server_port') ?? '',
    config.get('script_path') ?? '/',
  ]
  const isUsual = ['', '0', '80', '443'].includes(port)
  return [`${protocol}${host}${isUsual ? '' : `:${port}`}/${path.replace(/^\/|\/$/g, '')}`.replace(/\/?$/, '/')]
}
