import { lazy } from '#base/lazy.ts'
import type { Kind, Read, Reader, SourceRows } from '#importer/server/source.ts'
import { comments } from '#importer/server/flarum/comments.ts'
import { files } from '#importer/server/flarum/files.ts'
import { follows, likes, readPositions } from '#importer/server/flarum/marks.ts'
import { groups, members, staff } from '#importer/server/flarum/members.ts'
import { markOf, messages } from '#importer/server/flarum/messages.ts'
import { votes } from '#importer/server/flarum/polls.ts'
import { plainText, type Flarum } from '#importer/server/flarum/source.ts'
import { forums, tagsOf, type Tags } from '#importer/server/flarum/tags.ts'
import { accepted, threads } from '#importer/server/flarum/threads.ts'
import { assertProgram } from '#importer/server/tables/assert-program.ts'
import { decoderOf } from '#importer/server/tables/decoder-of.ts'
import { rowsBy } from '#importer/server/tables/pages.ts'
import { countsOf, inOnePage, marksOf, noRows } from '#importer/server/tables/reading.ts'
import type { SourceFiles } from '#importer/server/tables/source-files.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

/** A Flarum 1 or 2 with the extensions that come with it, and some of FriendsOfFlarum. */
export async function openFlarum(tables: SourceTables, { bytesOf }: SourceFiles, prefix = ''): Promise<Reader> {
  const table = (name: string) => `${prefix}${name}`
  await assertProgram(tables, 'Flarum', prefix, ['users', 'groups', 'discussions', 'posts', 'settings'].map(table))
  const flarum = await opened(tables, table)
  const stored = storedIn(table)
  const tags = lazy(() => tagsOf(flarum))
  return {
    program: 'flarum',
    version: flarum.settings.get('version') ?? '1',
    title: flarum.settings.get('forum_title') ?? 'Flarum',
    origins: [],
    credits: [],
    hasFloors: true,
    addressRules: addressRules(flarum, await tags()),
    staff: () => staff(flarum),
    count: countsOf(tables, countedIn(table, stored)),
    async marks() {
      const marks = await marksOf(tables, stored)
      return { ...marks, messages: markOf(marks.comments ?? '0', marks.messages ?? '0') }
    },
    rows: rowsOf(flarum, tags),
    bytesOf,
    close: () => tables.close(),
  }
}

const keptSettings = ['forum_title', 'version', 'slug_driver_Flarum\\User\\User', 'fof-best-answer.enabled-tags']

/** Of the settings those alone that an import needs: there are passwords among them. */
async function opened(tables: SourceTables, table: Flarum['table']): Promise<Flarum> {
  const { decode } = await decoderOf(tables, [
    [table('users'), 'username'],
    [table('discussions'), 'title'],
    [table('posts'), 'content'],
  ])
  const columnsOf: Flarum['columnsOf'] = async (name, wanted) => {
    const present = new Set((await tables.columns(name)).map((column) => column.name))
    return wanted.filter((column) => present.has(column))
  }
  const flarum: Flarum = { tables, table, decode, settings: new Map(), columnsOf }
  const rows = await rowsBy(tables, { table: table('settings'), columns: ['value'], column: 'key' }, keptSettings)
  const settings = [...rows].flatMap(([key, [row]]) => (row ? [[key, plainText(flarum, row, 'value')] as const] : []))
  return { ...flarum, settings: new Map(settings) }
}

/** The tables of kinds that have ids, with them. */
function storedIn(table: Flarum['table']) {
  return {
    members: [table('users'), 'id'],
    files: [table('fof_upload_files'), 'id'],
    threads: [table('discussions'), 'id'],
    comments: [table('posts'), 'id'],
    messages: [table('dialog_messages'), 'id'],
  } as const
}

function countedIn(table: Flarum['table'], stored: ReturnType<typeof storedIn>): { [K in Kind]?: readonly string[] } {
  const position = [table('discussion_user')]
  return {
    ...stored,
    tags: [table('tags')],
    votes: [table('polls')],
    likes: [table('post_likes')],
    follows: position,
    readPositions: position,
  }
}

/** Which tag has which slug, and whether members stand in addresses with their ids. */
function addressRules({ settings }: Flarum, { all }: Tags): Record<string, string> {
  const users = settings.get('slug_driver_Flarum\\User\\User') === 'id' ? 'id' : 'name'
  return { users, ...Object.fromEntries(all.map(({ id, slug }) => [`tag/${slug}`, id])) }
}

function rowsOf(flarum: Flarum, tags: () => Promise<Tags>): Reader['rows'] {
  return {
    groups: inOnePage(() => groups(flarum)),
    tags: inOnePage(async () => forums(flarum, await tags())),
    members: reading(flarum, members),
    files: reading(flarum, files),
    async *threads(range) {
      yield* threads(flarum, await tags(), range)
    },
    moved: noRows,
    comments: reading(flarum, comments),
    accepted: reading(flarum, accepted),
    votes: reading(flarum, votes),
    unlocks: noRows,
    likes: reading(flarum, likes),
    favourites: noRows,
    follows: reading(flarum, follows),
    readPositions: reading(flarum, readPositions),
    messages: reading(flarum, messages),
  }
}

type Rows = SourceRows[Kind]

function reading<T extends Rows>(flarum: Flarum, read: (flarum: Flarum, range: Parameters<Read<T>>[0]) => ReturnType<Read<T>>): Read<T> {
  return (range) => read(flarum, range)
}
