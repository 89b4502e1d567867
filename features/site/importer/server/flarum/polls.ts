import { z } from 'zod'
import type { Page, Range, SourcePoll, SourceVote } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { integer, type Row } from '#importer/server/tables/source-tables.ts'
import { id, isSet, plainText, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

const wanted = 'id question discussion_id post_id end_date public_poll allow_multiple_votes max_votes settings'.split(' ')

/** The first poll of each of these openings, by the post. A poll belonged to a discussion first, and to a post since its version 2. */
export async function pollsOfPosts(flarum: Flarum, postsByDiscussion: ReadonlyMap<string, string>): Promise<Map<string, SourcePoll>> {
  const columns = await columnsIn(flarum)
  const column = columns.includes('post_id') ? 'post_id' : 'discussion_id'
  if (!columns.includes(column)) return new Map()
  const owners = new Map([...postsByDiscussion].map(([discussion, post]) => [column === 'post_id' ? post : discussion, post]))
  const found = await rowsBy(flarum.tables, { table: flarum.table('polls'), columns, column, order: ['id'] }, [...owners.keys()])
  const first = [...found].flatMap(([owner, rows]) => (rows[0] ? [[owners.get(owner) ?? '', rows[0]] as const] : []))
  const options = await rowsBy(
    flarum.tables,
    { table: flarum.table('poll_options'), columns: ['id', 'answer'], column: 'poll_id', order: ['id'] },
    first.map(([, row]) => id(row, 'id')),
  )
  return new Map(first.map(([post, row]) => [post, pollOf(flarum, row, options.get(id(row, 'id')) ?? [])]))
}

/** Those of these posts that have a poll. */
export async function postsWithPolls(flarum: Flarum, postIds: readonly string[]): Promise<Set<string>> {
  const column = 'post_id'
  if (!(await columnsIn(flarum)).includes(column)) return new Set()
  const found = await rowsBy(flarum.tables, { table: flarum.table('polls'), columns: ['id'], column }, postIds)
  return new Set(found.keys())
}

async function columnsIn(flarum: Flarum): Promise<string[]> {
  const table = flarum.table('polls')
  return (await flarum.tables.tables()).includes(table) ? flarum.columnsOf(table, wanted) : []
}

/** A number below 1 of votes is as many as there are options. */
function pollOf(flarum: Flarum, row: Row, options: readonly Row[]): SourcePoll {
  const settings = settingsIn(flarum, row)
  const max = settings.max_votes > 0 ? settings.max_votes : options.length
  return {
    title: plainText(flarum, row, 'question'),
    options: options.map((option) => ({ id: id(option, 'id'), label: plainText(flarum, option, 'answer') })),
    maxChoices: settings.allow_multiple_votes ? Math.max(1, max) : 1,
    isPublic: settings.public_poll,
    showsResults: settings.hide_votes ? 'ended' : 'voted',
    endsAt: timeOf(row, 'end_date'),
  }
}

const truth = z.union([z.boolean(), z.number(), z.string()]).transform((value) => !['0', 'false', ''].includes(String(value)))
const schema = z.object({
  public_poll: truth.default(false),
  allow_multiple_votes: truth.default(false),
  max_votes: z.coerce.number().catch(0).default(0),
  hide_votes: truth.default(false),
})

/** In columns at first, and since version 2 in one column of JSON. */
function settingsIn(flarum: Flarum, row: Row): z.infer<typeof schema> {
  const written = plainText(flarum, row, 'settings')
  const inColumns = {
    public_poll: isSet(row, 'public_poll'),
    allow_multiple_votes: isSet(row, 'allow_multiple_votes'),
    max_votes: row['max_votes'] === undefined ? 0 : integer(row, 'max_votes'),
  }
  return (written === '' ? undefined : schema.safeParse(parsed(written)).data) ?? schema.parse(inColumns)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** A member's votes in a poll are a row each. */
export async function* votes(flarum: Flarum, { after }: Range): AsyncGenerator<Page<SourceVote>> {
  const columns = await columnsIn(flarum)
  const read = { table: flarum.table('polls'), columns, keys: numberKeys('id'), perPage: 20 }
  yield* pagesInTurn(flarum.tables, [read], after, async (rows) => {
    const given = await rowsBy(
      flarum.tables,
      { table: flarum.table('poll_votes'), columns: ['option_id', 'user_id', 'created_at'], column: 'poll_id', order: ['id'] },
      rows.map((row) => id(row, 'id')),
    )
    const threads = await threadsOf(flarum, rows)
    return rows.flatMap((row) => votesIn(threads.get(id(row, 'id')) ?? '', given.get(id(row, 'id')) ?? []))
  })
}

function votesIn(threadId: string, rows: readonly Row[]): SourceVote[] {
  const byMember = Map.groupBy(
    rows.filter((row) => row['user_id'] !== null),
    (row) => id(row, 'user_id'),
  )
  return [...byMember].map(([memberId, its]) => ({
    threadId,
    memberId,
    optionIds: its.map((row) => id(row, 'option_id')),
    at: its[0] ? timeOf(its[0], 'created_at') : null,
  }))
}

/** The discussions of polls, by the poll. */
async function threadsOf({ tables, table }: Flarum, polls: readonly Row[]): Promise<Map<string, string>> {
  const posts = await rowsBy(
    tables,
    { table: table('posts'), columns: ['id', 'discussion_id'], column: 'id' },
    polls.flatMap((row) => (row['post_id'] ? [id(row, 'post_id')] : [])),
  )
  return new Map(
    polls.map((row) => {
      if (row['post_id'] === undefined) return [id(row, 'id'), id(row, 'discussion_id')]
      const [post] = posts.get(id(row, 'post_id')) ?? []
      return [id(row, 'id'), post ? id(post, 'discussion_id') : '']
    }),
  )
}
