import { toText } from '#base/rich-text/to-text.ts'
import { withEmoji } from '#importer/server/body/emoji-names.ts'
import { htmlBody } from '#importer/server/discourse/cooking.ts'
import { str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourcePoll, SourceVote } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, integer, type Row } from '#importer/server/tables/source-tables.ts'

const columns = ['id', 'post_id', 'name', 'title', 'type', 'status', 'results', 'visibility', 'max', 'close_at', 'updated_at']
const types = { multiple: 1, ranked: 3 } as const
const results = { onVote: 1, onClose: 2, staffOnly: 3 } as const
const closed = 1
const everyone = 1

/** The first poll of each of some openings: a thread has one. */
export async function pollsOf(discourse: Discourse, postIds: readonly string[]): Promise<Map<string, { name: string; poll: SourcePoll }>> {
  const firsts = await firstPolls(discourse, postIds)
  const options = await rowsBy(
    discourse.tables,
    { table: 'poll_options', columns: ['id', 'html'], column: 'poll_id', order: ['id'] },
    [...firsts.values()].map((row) => id(row, 'id')),
  )
  return new Map(
    [...firsts].map(([postId, row]) => {
      const labels = (options.get(id(row, 'id')) ?? []).map((option) => ({ id: id(option, 'id'), label: lineOf(str(option, 'html')) }))
      return [postId, { name: str(row, 'name'), poll: pollOf(discourse, row, labels) }] as const
    }),
  )
}

async function firstPolls({ tables }: Discourse, postIds: readonly string[]): Promise<Map<string, Row>> {
  const found = await rowsBy(tables, { table: 'polls', columns, column: 'post_id', order: ['id'] }, postIds)
  return new Map([...found].flatMap(([postId, [row]]) => (row ? [[postId, row] as const] : [])))
}

function lineOf(html: string): string {
  const { document } = htmlBody(html, { fileAt: () => null, mentioned: () => null })
  return toText(document).replaceAll(/\s+/g, ' ').trim()
}

/** Results that only staff saw are shown at no time before the end, and their votes do not come. A poll of ranks asks for the first one. */
function pollOf({ now }: Discourse, row: Row, options: SourcePoll['options']): SourcePoll {
  const [result, closesAt] = [integer(row, 'results'), dateTime(row, 'close_at')]
  const endedAt = closesAt && closesAt <= now ? closesAt : dateTime(row, 'updated_at')
  const most = integer(row, 'max') || options.length
  return {
    title: withEmoji(str(row, 'title')),
    options,
    maxChoices: integer(row, 'type') === types.multiple ? Math.max(1, Math.min(most, options.length)) : 1,
    isPublic: integer(row, 'visibility') === everyone,
    showsResults: result === results.onVote ? 'voted' : result === results.onClose || result === results.staffOnly ? 'ended' : 'always',
    endsAt: integer(row, 'status') === closed ? endedAt : closesAt,
  }
}

/** The votes of the polls that came, a poll after another. */
export async function* votes(discourse: Discourse, { after }: Range): AsyncGenerator<Page<SourceVote>> {
  const { tables } = discourse
  const read = { table: 'polls', columns, keys: numberKeys('id'), perPage: 50 }
  yield* pagesInTurn(tables, [read], after, async (rows) => {
    const openings = await openingsAmong(
      discourse,
      rows.flatMap((row) => (row['post_id'] ? [id(row, 'post_id')] : [])),
    )
    const firsts = await firstPolls(discourse, [...openings.keys()])
    const coming = rows.filter((row) => {
      const first = firsts.get(id(row, 'post_id'))
      return first && id(first, 'id') === id(row, 'id') && integer(row, 'results') !== results.staffOnly
    })
    const cast = await rowsBy(
      tables,
      { table: 'poll_votes', columns: await voteColumns(discourse), column: 'poll_id' },
      coming.map((row) => id(row, 'id')),
    )
    return coming.flatMap((row) => {
      const isRanked = integer(row, 'type') === types.ranked
      return ballotsOf(openings.get(id(row, 'post_id')) ?? '', cast.get(id(row, 'id')) ?? [], isRanked)
    })
  })
}

/** The place of an option among others came with polls of ranks. */
async function voteColumns({ tables }: Discourse): Promise<string[]> {
  const has = (await tables.tables()).includes('poll_votes') ? await tables.columns('poll_votes') : []
  return ['user_id', 'poll_option_id', 'created_at', ...(has.some(({ name }) => name === 'rank') ? ['rank'] : [])]
}

/** The threads of those posts that open one. */
async function openingsAmong({ tables }: Discourse, postIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rowsBy(tables, { table: 'posts', columns: ['topic_id', 'post_number'], column: 'id' }, postIds)
  const rows = [...found.values()].flat().filter((row) => integer(row, 'post_number') === 1)
  return new Map(rows.map((row) => [id(row, 'id'), id(row, 'topic_id')]))
}

function ballotsOf(threadId: string, rows: readonly Row[], isRanked: boolean): SourceVote[] {
  const counted = rows.filter((row) => row['user_id'] && row['poll_option_id'] && (!isRanked || integer(row, 'rank') === 1))
  return [...Map.groupBy(counted, (row) => id(row, 'user_id'))].map(([memberId, its]) => ({
    threadId,
    memberId,
    optionIds: its.map((row) => id(row, 'poll_option_id')),
    at: its[0] ? dateTime(its[0], 'created_at') : null,
  }))
}
