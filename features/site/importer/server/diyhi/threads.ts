import { z } from 'zod'
import { diyhiBody } from '#importer/server/body/diyhi-html.ts'
import type { Page, Range, SourceAccepted, SourcePost, SourceState, SourceThread } from '#importer/server/source.ts'
import { numberKeys, pagesInTurn, rowsBy } from '#importer/server/tables/pages.ts'
import { id, bigint, flag, integer, text, type Row } from '#importer/server/tables/source-tables.ts'
import { readOf, stateOf, timeOf, writersOf, type Diyhi, type Writer } from '#importer/server/diyhi/source.ts'
import { centsOf } from '#importer/server/diyhi/members.ts'
import { envelopesOf } from '#importer/server/diyhi/envelopes.ts'
import { pollsOf } from '#importer/server/diyhi/polls.ts'
import { json } from '#importer/server/diyhi/tags.ts'

const shared = [
  'userName',
  'isStaff',
  'title',
  'content',
  'postTime',
  'lastUpdateTime',
  'allow',
  'viewTotal',
  'sort',
  'status',
  'voteThemeId',
]
const topicColumns = [...shared, 'tagId', 'essence', 'giveRedEnvelopeId']
const questionColumns = [...shared, 'appendContent', 'adoptionAnswerId', 'amount', 'point']

/** Topics, then questions. Their ids begin with what they are. */
export async function* threads(diyhi: Diyhi, range: Range): AsyncGenerator<Page<SourceThread>> {
  const reads = [readOf('topic', topicColumns, range, 0), readOf('question', questionColumns, range, 1)]
  yield* pagesInTurn(diyhi.tables, reads, range.after, async (rows, table) => {
    const found = { writer: await writersOf(diyhi, rows), poll: await pollsOf(diyhi, rows) }
    if (table === 'topic') {
      const envelope = await envelopesOf(diyhi, rows)
      return rows.map((row) => topicOf(diyhi, row, { ...found, envelope }))
    }
    const tags = await tagsOf(diyhi, rows)
    return rows.map((row) => questionOf(diyhi, row, { ...found, tags }))
  })
}

type Found = { writer: (row: Row) => Writer; poll: (row: Row) => SourceThread['poll'] }

function threadOf(diyhi: Diyhi, row: Row, kind: SourceThread['kind'], { writer, poll }: Found) {
  return {
    id: `${kind}/${id(row, 'id')}`,
    kind,
    title: text(row, 'title', diyhi.decode),
    opening: postOf(diyhi, row, `${kind}/${id(row, 'id')}`, writer(row)),
    pin: integer(row, 'sort') > 0 ? (2 as const) : (0 as const),
    isLocked: !flag(row, 'allow'),
    views: integer(row, 'viewTotal'),
    poll: poll(row),
  }
}

/** A post of any kind. What a cancelled account wrote is not shown there, and comes removed. */
export function postOf(diyhi: Diyhi, row: Row, postId: string, { author, isGone }: Writer): SourcePost {
  const state: SourceState = isGone ? 'deleted' : stateOf(row)
  return {
    id: postId,
    author,
    body: diyhiBody(text(row, 'content', diyhi.decode)),
    publishedAt: timeOf(diyhi, row, 'postTime') ?? new Date(0),
    editedAt: timeOf(diyhi, row, 'lastUpdateTime'),
    state,
    fileIds: [],
  }
}

function topicOf(diyhi: Diyhi, row: Row, found: Found & { envelope: (row: Row) => string | null }): SourceThread {
  const envelope = found.envelope(row)
  return {
    ...noted(threadOf(diyhi, row, 'topic', found), envelope),
    tagId: `topic/${id(row, 'tagId')}`,
    isFeatured: flag(row, 'essence'),
    tags: [],
    bounties: [],
  }
}

/** A note goes with the body, which the summary counts. */
function noted<T extends { opening: SourcePost }>(thread: T, note: string | null): T {
  if (note === null) return thread
  const { opening } = thread
  return { ...thread, opening: { ...opening, body: { ...opening.body, notes: [...opening.body.notes, note] } } }
}

type Tag = { id: string; name: string }

function questionOf(diyhi: Diyhi, row: Row, found: Found & { tags: ReadonlyMap<string, Tag[]> }): SourceThread {
  const [first, ...others] = found.tags.get(id(row, 'id')) ?? []
  const isOpen = integer(row, 'adoptionAnswerId') === 0
  const offered = [
    { credit: 'points', amount: bigint(row, 'point') },
    { credit: 'deposit', amount: centsOf(row, 'amount') },
  ]
  return {
    ...threadOf(diyhi, row, 'question', found),
    tagId: `question/${first?.id ?? '0'}`,
    isFeatured: false,
    tags: others.map(({ name }) => name),
    bounties: isOpen && !flag(row, 'isStaff') ? offered.filter(({ amount }) => amount > 0n) : [],
    postscripts: postscriptsOf(diyhi, row),
  }
}

/** The tags of questions, the first of each first. */
async function tagsOf({ tables, decode }: Diyhi, rows: readonly Row[]): Promise<Map<string, Tag[]>> {
  const associations = await rowsBy(
    tables,
    { table: 'questiontagassociation', columns: ['questionTagId'], column: 'questionId', order: ['id'] },
    rows.map((row) => id(row, 'id')),
  )
  const ids = [...associations.values()].flatMap((its) => its.map((one) => id(one, 'questionTagId')))
  const names = await rowsBy(tables, { table: 'questiontag', columns: ['name'], column: 'id' }, ids)
  const tagOf = (row: Row): Tag[] => {
    const [tag] = names.get(id(row, 'questionTagId')) ?? []
    return tag ? [{ id: id(row, 'questionTagId'), name: text(tag, 'name', decode) }] : []
  }
  return new Map([...associations].map(([question, its]) => [question, its.flatMap(tagOf)]))
}

const Postscripts = z.array(z.object({ content: z.string().nullish(), postTime: z.unknown() }))
const localTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)/

/** An array without its end: the program adds each behind the last, with a comma. */
export function postscriptsOf({ decode, ahead }: Pick<Diyhi, 'decode' | 'ahead'>, row: Row): SourceThread['postscripts'] {
  const written = text(row, 'appendContent', decode).trim().replace(/,$/, '')
  const items = Postscripts.safeParse(json(written.endsWith(']') ? written : `${written}]`)).data ?? []
  return items.flatMap(({ content, postTime }) => {
    if (!content) return []
    const [, day, time] = localTime.exec(typeof postTime === 'string' ? postTime : '') ?? []
    const shown = day && time ? Date.parse(`${day}T${time}Z`) - ahead : Number.NaN
    return [{ body: diyhiBody(content), at: Number.isNaN(shown) ? new Date(0) : new Date(shown) }]
  })
}

export async function* accepted({ tables }: Diyhi, { after }: Range): AsyncGenerator<Page<SourceAccepted>> {
  const where = [{ column: 'adoptionAnswerId', is: '>' as const, value: '0' }]
  const read = { table: 'question', columns: ['id', 'adoptionAnswerId'], keys: numberKeys('id'), where }
  yield* pagesInTurn(tables, [read], after, (rows) =>
    rows.map((row) => ({ threadId: `question/${id(row, 'id')}`, acceptedId: `answer/${id(row, 'adoptionAnswerId')}` })),
  )
}
