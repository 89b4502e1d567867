import type { Block } from '#base/rich-text/document.ts'
import type {
  Page,
  Range,
  SourceAccepted,
  SourceMoved,
  SourcePoll,
  SourcePost,
  SourceState,
  SourceThread,
} from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, flag, integer, unixTime, type Row } from '#importer/server/tables/source-tables.ts'
import { columnsOf, postsOf, postTable } from '#importer/server/discuz/posts.ts'
import { escapedText, plainText, reward, type Discuz } from '#importer/server/discuz/source.ts'

const threadColumns = [
  'tid',
  'fid',
  'posttableid',
  'typeid',
  'readperm',
  'price',
  'authorid',
  'subject',
  'dateline',
  'views',
  'displayorder',
  'digest',
  'special',
  'closed',
]
const byThread = numberKeys('tid')
const draft = -4
const poll = 1

/** Threads with their openings. A moved one is an address alone, and a draft was seen by its author alone. */
export async function* threads(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceThread>> {
  const read = {
    table: discuz.table('forum_thread'),
    columns: threadColumns,
    keys: byThread,
    where: idsBetween('tid', since, upto),
    perPage: 200,
  }
  yield* pagesOf(discuz.tables, read, after, async (all) => {
    const rows = all.filter((row) => !isMoved(row) && integer(row, 'displayorder') !== draft)
    const found = {
      openings: await openingsOf(discuz, rows),
      classes: await classesOf(discuz, rows),
      polls: await pollsOf(discuz, rows),
    }
    return rows.flatMap((row) => {
      const opening = found.openings.get(id(row, 'tid'))
      return opening ? [threadOf(discuz, row, { ...found, opening })] : []
    })
  })
}

function isMoved(row: Row): boolean {
  return integer(row, 'closed') > 1
}

export async function* moved(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceMoved>> {
  const where = [...idsBetween('tid', since, upto), { column: 'closed', is: '>', value: '1' } as const]
  const read = { table: discuz.table('forum_thread'), columns: ['tid', 'closed'], keys: byThread, where }
  yield* pagesOf(discuz.tables, read, after, (rows) => rows.map((row) => ({ id: id(row, 'tid'), threadId: id(row, 'closed') })))
}

/** The best answer of a question that is solved, whose price is negative, has the time of the question and a second. */
export async function* accepted(discuz: Discuz, { after, since, upto }: Range): AsyncGenerator<Page<SourceAccepted>> {
  const where = [...idsBetween('tid', since, upto), { column: 'special', is: '=', value: String(reward) } as const]
  const read = { table: discuz.table('forum_thread'), columns: threadColumns, keys: byThread, where }
  yield* pagesOf(discuz.tables, read, after, async (all) => {
    const rows = all.filter((row) => integer(row, 'price') < 0)
    const answers: SourceAccepted[] = []
    for (const [table, here] of Map.groupBy(rows, (row) => postTable(discuz, id(row, 'posttableid')))) {
      const posts = await rowsBy(
        discuz.tables,
        { table, columns: ['pid', 'first', 'dateline'], column: 'tid', order: ['position'] },
        here.map((row) => id(row, 'tid')),
      )
      for (const row of here) {
        const at = integer(row, 'dateline') + 1
        const best = posts.get(id(row, 'tid'))?.find((post) => !flag(post, 'first') && integer(post, 'dateline') === at)
        if (best) answers.push({ threadId: id(row, 'tid'), acceptedId: id(best, 'pid') })
      }
    }
    return answers
  })
}

async function openingsOf(discuz: Discuz, rows: readonly Row[]): Promise<Map<string, SourcePost>> {
  const openings = new Map<string, SourcePost>()
  for (const [table, here] of Map.groupBy(rows, (row) => postTable(discuz, id(row, 'posttableid')))) {
    const posts = await rowsBy(
      discuz.tables,
      { table, columns: await columnsOf(discuz), column: 'tid', order: ['position'] },
      here.map((row) => id(row, 'tid')),
    )
    const first = here.flatMap((row) => {
      const post = posts.get(id(row, 'tid'))?.find((one) => flag(one, 'first'))
      return post ? [{ row: post, price: priceOf(discuz, row) }] : []
    })
    const below = await remarksBelow(
      discuz,
      first.map(({ row }) => id(row, 'pid')),
    )
    const written = await postsOf(discuz, first)
    for (const [index, post] of written.entries()) {
      const row = first[index]?.row
      if (row) openings.set(id(row, 'tid'), withRemarks(post, below.get(post.id) ?? []))
    }
  }
  return openings
}

/** The program sets a price to nothing when somebody looks at the thread after its time. */
function priceOf({ settings, now }: Discuz, row: Row): number {
  const hours = (now.getTime() / 1000 - integer(row, 'dateline')) / 3600
  const isOver = settings.chargeHours > 0 && hours >= settings.chargeHours
  return integer(row, 'special') === reward || isOver ? 0 : Math.max(0, integer(row, 'price'))
}

/** Remarks on an opening, which has no comment that they could stand below: they stand at its end. */
async function remarksBelow(discuz: Discuz, pids: readonly string[]): Promise<Map<string, string[]>> {
  const columns = ['author', 'authorid', 'comment']
  const rows = await rowsBy(discuz.tables, { table: discuz.table('forum_postcomment'), columns, column: 'pid', order: ['id'] }, pids)
  return new Map(
    [...rows].map(([pid, its]) => [
      pid,
      its.flatMap((row) =>
        integer(row, 'authorid') < 0 ? [] : [`${plainText(discuz, row, 'author')}: ${escapedText(discuz, row, 'comment')}`],
      ),
    ]),
  )
}

function withRemarks(post: SourcePost, remarks: readonly string[]): SourcePost {
  if (remarks.length === 0) return post
  const content = remarks.map((line): Block => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }))
  const document = { ...post.body.document, content: [...post.body.document.content, { type: 'blockquote' as const, content }] }
  return { ...post, body: { document, notes: [...post.body.notes, 'remark on an opening'] } }
}

type Found = { opening: SourcePost; classes: ReadonlyMap<string, string>; polls: ReadonlyMap<string, SourcePoll> }

function threadOf(discuz: Discuz, row: Row, { opening, classes, polls }: Found): SourceThread {
  const [order, special, price] = [integer(row, 'displayorder'), integer(row, 'special'), integer(row, 'price')]
  const its = classes.get(id(row, 'typeid'))
  return {
    id: id(row, 'tid'),
    tagId: id(row, 'fid'),
    kind: special === reward ? 'question' : 'topic',
    title: escapedText(discuz, row, 'subject'),
    opening: { ...opening, ...restricted(row, opening, stateOf(order)) },
    pin: order === 3 ? 2 : order === 1 || order === 2 ? 1 : 0,
    isLocked: integer(row, 'closed') === 1,
    isFeatured: integer(row, 'digest') > 0,
    views: integer(row, 'views'),
    tags: its === undefined ? [] : [its],
    poll: polls.get(id(row, 'tid')) ?? null,
    bounties:
      special === reward && price > 0
        ? [{ credit: discuz.settings.bountyCredit, amount: BigInt(price), payerId: id(row, 'authorid') }]
        : [],
  }
}

/** -1 lies in the bin; -2 and -3 wait for a review. */
function stateOf(displayOrder: number): SourceState {
  return displayOrder === -1 ? 'deleted' : displayOrder < -1 ? 'pending' : 'published'
}

/** A level to read has no place: the thread is taken down, so that nobody reads what they could not, until staff move it. */
function restricted(row: Row, { body }: SourcePost, state: SourceState): Pick<SourcePost, 'state' | 'body'> {
  if (integer(row, 'readperm') <= 1) return { state, body }
  return { state: state === 'published' ? 'deleted' : state, body: { ...body, notes: [...body.notes, 'thread with a level to read'] } }
}

async function classesOf(discuz: Discuz, rows: readonly Row[]): Promise<Map<string, string>> {
  const ids = rows.map((row) => id(row, 'typeid')).filter((one) => one !== '0')
  const found = await rowsBy(discuz.tables, { table: discuz.table('forum_threadclass'), columns: ['name'], column: 'typeid' }, ids)
  return new Map([...found].map(([its, [row]]) => [its, row ? plainText(discuz, row, 'name').replaceAll(/<[^>]*>/g, '') : '']))
}

async function pollsOf(discuz: Discuz, rows: readonly Row[]): Promise<Map<string, SourcePoll>> {
  const ids = rows.flatMap((row) => (integer(row, 'special') === poll ? [id(row, 'tid')] : []))
  const columns = ['overt', 'visible', 'maxchoices', 'expiration']
  const polls = await rowsBy(discuz.tables, { table: discuz.table('forum_poll'), columns, column: 'tid' }, ids)
  const options = await rowsBy(
    discuz.tables,
    {
      table: discuz.table('forum_polloption'),
      columns: ['polloptionid', 'polloption'],
      column: 'tid',
      order: ['displayorder', 'polloptionid'],
    },
    ids,
  )
  return new Map(
    [...polls].flatMap(([tid, [row]]) => {
      if (!row) return []
      const its: SourcePoll = {
        title: '',
        options: (options.get(tid) ?? []).map((option) => ({
          id: id(option, 'polloptionid'),
          label: escapedText(discuz, option, 'polloption'),
        })),
        maxChoices: Math.max(1, integer(row, 'maxchoices')),
        isPublic: flag(row, 'overt'),
        showsResults: flag(row, 'visible') ? 'always' : 'voted',
        endsAt: unixTime(row, 'expiration'),
      }
      return [[tid, its] as const]
    }),
  )
}
