import { closeSync, openSync, writeSync } from 'node:fs'
import { random, type Random } from '#database/bulk/random.ts'
import { sentence, titleOf, type Language } from '#database/bulk/sentences.ts'
import { dumpOf, insertsOf, type RowsOf } from '#importer/testing/source-rows.ts'

/** Posts of a made-up board: members, threads and posts are as many as in the middle of real ones. */
export type BoardSize = { members: number; threads: number; posts: number }

type Values = Readonly<Record<string, string | number>>
/** One row that the program itself wrote: its table, its columns and their values as SQL. */
type Template = { table: string; columns: readonly string[]; values: readonly string[] }

const firstId = 1_000
const began = 1_400_000_000
const rowsPerInsert = 500
// One of so many has the body of a real row: quotes, lists, code, hidden parts, pictures.
const realBodies = 10

/** Writes a dump of a board: the rows that the program wrote itself, and copies of them with other ids, authors, titles and texts. */
export function writeBoardDump(path: string, program: RowsOf, posts: number): BoardSize {
  const size = { members: Math.ceil(posts / 50), threads: Math.ceil(posts / 20), posts }
  const output = openSync(path, 'w')
  try {
    writeSync(output, dumpOf(program))
    for (const [template, rows] of boards[program](size)) writeRows(output, template, rows)
  } finally {
    closeSync(output)
  }
  return size
}

function writeRows(output: number, { table, columns, values }: Template, rows: Iterable<Values>): void {
  const head = `\nINSERT INTO \`${table}\` (${columns.map((column) => `\`${column}\``).join(',')}) VALUES\n`
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) writeSync(output, `${head}${lines.join(',\n')};`)
    lines = []
  }
  for (const row of rows) {
    lines.push(`(${columns.map((column, index) => (column in row ? quoted(row[column] ?? '') : values[index])).join(',')})`)
    if (lines.length === rowsPerInsert) flush()
  }
  flush()
}

function quoted(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
}

type Board = (size: BoardSize) => Iterable<readonly [Template, Iterable<Values>]>

const boards: Record<RowsOf, Board> = {
  *phpbb(size) {
    const [user, topic, post] = [
      templateOf('phpbb', 'phpbb_users', -1),
      templateOf('phpbb', 'phpbb_topics'),
      templateOf('phpbb', 'phpbb_posts'),
    ]
    const inGroup = templateOf('phpbb', 'phpbb_user_group', -1)
    yield [user, memberRows(size, (id, name) => ({ user_id: id, username: name, username_clean: name, user_email: `${name}@example.org` }))]
    yield [inGroup, memberRows(size, (id) => ({ user_id: id }))]
    yield [
      topic,
      threadRows(size, (thread) => ({
        topic_id: thread.id,
        topic_title: thread.title,
        topic_poster: thread.authorId,
        topic_first_post_id: thread.firstPostId,
        topic_time: thread.at,
        topic_visibility: 1,
        topic_status: 0,
        topic_type: 0,
        topic_moved_id: 0,
        poll_start: 0,
      })),
    ]
    const real = bodiesOf('phpbb', 'phpbb_posts', 'post_text')
    yield [
      post,
      postRows(size, real, (written) => ({
        post_id: written.id,
        topic_id: written.threadId,
        poster_id: written.authorId,
        post_time: written.at,
        post_text: written.real ?? `<t>${written.text.replaceAll('\n', '<br/>\n')}</t>`,
        post_visibility: 1,
        post_attachment: 0,
      })),
    ]
  },
  *discuz(size) {
    const [member, account] = [templateOf('discuz', 'pre_common_member', -1), templateOf('discuz', 'pre_ucenter_members', -1)]
    yield [account, memberRows(size, (id, name) => ({ uid: id, username: name, email: `${name}@example.org` }))]
    yield [member, memberRows(size, (id, name) => ({ uid: id, username: name, email: `${name}@example.org` }))]
    yield [templateOf('discuz', 'pre_common_member_count', -1), memberRows(size, (id) => ({ uid: id, extcredits2: id % 500 }))]
    yield [
      templateOf('discuz', 'pre_forum_thread'),
      threadRows(size, (thread) => ({
        tid: thread.id,
        authorid: thread.authorId,
        author: `m${thread.authorId}`,
        subject: thread.title,
        dateline: thread.at,
      })),
    ]
    const real = bodiesOf('discuz', 'pre_forum_post', 'message')
    yield [
      templateOf('discuz', 'pre_forum_post'),
      postRows(size, real, (written) => ({
        pid: written.id,
        tid: written.threadId,
        first: written.place === 0 ? 1 : 0,
        position: written.place + 1,
        authorid: written.authorId,
        author: `m${written.authorId}`,
        subject: '',
        dateline: written.at,
        message: written.real ?? written.text,
        invisible: 0,
      })),
    ]
  },
}

function* memberRows({ members }: BoardSize, row: (id: number, name: string) => Values): Generator<Values> {
  for (let id = firstId; id < firstId + members; id++) yield row(id, `m${id}`)
}

type Thread = { id: number; title: string; authorId: number; firstPostId: number; at: number }

function* threadRows({ threads, posts, members }: BoardSize, row: (thread: Thread) => Values): Generator<Values> {
  const chance = random(1)
  const each = posts / threads
  for (let index = 0; index < threads; index++) {
    const language = languageOf(chance)
    const firstPostId = firstId + Math.ceil(index * each)
    yield row({
      id: firstId + index,
      title: titleOf(language, chance).slice(0, 60),
      authorId: firstId + (index % members),
      firstPostId,
      at: began + firstPostId * 60,
    })
  }
}

type Written = { id: number; threadId: number; authorId: number; place: number; at: number; text: string; real: string | null }

function* postRows({ threads, posts, members }: BoardSize, real: readonly string[], row: (post: Written) => Values): Generator<Values> {
  const chance = random(2)
  const each = posts / threads
  let threadId = firstId
  let place = 0
  for (let index = 0; index < posts; index++) {
    const thread = Math.floor(index / each)
    place = firstId + thread === threadId ? place : 0
    threadId = firstId + thread
    const language = languageOf(chance)
    const lines = Array.from({ length: 1 + chance.below(3) }, () => sentence(language, chance))
    yield row({
      id: firstId + index,
      threadId,
      authorId: firstId + (place === 0 ? thread % members : chance.below(members)),
      place,
      at: began + (firstId + index) * 60,
      text: lines.join('\n'),
      real: place > 0 && index % realBodies === 0 ? chance.pick(real) : null,
    })
    place++
  }
}

function languageOf({ next }: Random): Language {
  return next() < 0.6 ? 'zh' : 'en'
}

function templateOf(program: RowsOf, table: string, index = 0): Template {
  const template = templatesOf(program, table).at(index)
  if (!template) throw new Error(`There is no row of ${table}`)
  return template
}

function templatesOf(program: RowsOf, table: string): Template[] {
  const lines = insertsOf(program)
    .split('\n')
    .filter((line) => line.startsWith(`INSERT INTO \`${table}\` `))
  return lines.map((line) => {
    const [, columns = '', values = ''] = /^INSERT INTO \S+ \((.*?)\) VALUES \((.*)\);$/.exec(line) ?? []
    return { table, columns: columns.split(', ').map((column) => column.slice(1, -1)), values: sqlValues(values) }
  })
}

function sqlValues(list: string): string[] {
  return list.match(/'(?:[^'\\]|\\.|'')*'|[^,]+/gs) ?? []
}

/** The values of this column in real rows. */
function bodiesOf(program: RowsOf, table: string, column: string): string[] {
  return templatesOf(program, table).map(({ columns, values }) => {
    const value = values[columns.indexOf(column)] ?? "''"
    return value.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
  })
}
