import { withEmoji } from '#importer/server/body/emoji-names.ts'
import { pollsOf } from '#importer/server/discourse/polls.ts'
import { archetypes, postColumns, postsOf } from '#importer/server/discourse/posts.ts'
import { str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourceAccepted, SourcePost, SourceThread } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesInTurn, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

const topicColumns = [
  'id',
  'category_id',
  'title',
  'views',
  'deleted_at',
  'visible',
  'closed',
  'archived',
  'pinned_at',
  'pinned_globally',
  'pinned_until',
]
const solvedTopics = 'discourse_solved_solved_topics'
const solvedField = 'accepted_answer_post_id'

/** Topics, also the one that describes each category. Private messages are none. */
export async function* threads(discourse: Discourse, { after, since, upto }: Range): AsyncGenerator<Page<SourceThread>> {
  const where = [...idsBetween('id', since, upto), { column: 'archetype', is: 'in' as const, values: archetypes }]
  const read = { table: 'topics', columns: topicColumns, keys: numberKeys('id'), where, perPage: 200 }
  yield* pagesOf(discourse.tables, read, after, async (rows) => {
    const ids = rows.map((row) => id(row, 'id'))
    const openings = await openingsOf(discourse, ids)
    const polls = await pollsOf(
      discourse,
      openings.map((row) => id(row, 'id')),
    )
    const posts = await postsOf(discourse, openings, new Map([...polls].map(([postId, { name }]) => [postId, new Set([name])])))
    const byTopic = new Map(openings.flatMap((row, at) => (posts[at] ? [[id(row, 'topic_id'), posts[at]] as const] : [])))
    const [tags, solved] = [await tagsOf(discourse, ids), await solvedAmong(discourse, ids)]
    return rows.flatMap((row): SourceThread[] => {
      const opening = byTopic.get(id(row, 'id'))
      if (!opening) return []
      const found = tags.get(id(row, 'id')) ?? { names: [], hidden: 0 }
      const isQuestion = solved.has(id(row, 'id')) || discourse.questionCategoryIds.has(categoryOf(discourse, row))
      return [threadOf(discourse, row, { opening, tags: found, poll: polls.get(opening.id)?.poll ?? null, isQuestion })]
    })
  })
}

async function openingsOf({ tables }: Discourse, topicIds: readonly string[]): Promise<Row[]> {
  if (topicIds.length === 0) return []
  const where = [
    { column: 'topic_id', is: 'in' as const, values: topicIds },
    { column: 'post_number', is: '=' as const, value: '1' },
  ]
  return tables.page('posts', { columns: postColumns, keys: numberKeys('topic_id'), after: null, where, limit: topicIds.length })
}

type Tags = { names: string[]; hidden: number }
type Parts = { opening: SourcePost; tags: Tags; poll: SourceThread['poll']; isQuestion: boolean }

function threadOf(discourse: Discourse, row: Row, { opening, tags, poll, isQuestion }: Parts): SourceThread {
  const isListed = flag(row, 'visible')
  const notes = [
    ...opening.body.notes,
    ...(isListed ? [] : ['topic that was in no list, removed']),
    ...(tags.hidden > 0 ? ['tag that only some groups see'] : []),
  ]
  const until = dateTime(row, 'pinned_until')
  const isPinned = row['pinned_at'] !== null && !(until && until <= discourse.now)
  const isDeleted = row['deleted_at'] !== null || !isListed
  return {
    id: id(row, 'id'),
    tagId: categoryOf(discourse, row),
    kind: isQuestion ? 'question' : 'topic',
    title: withEmoji(str(row, 'title')),
    opening: { ...opening, body: { ...opening.body, notes }, state: isDeleted ? 'deleted' : opening.state },
    pin: !isPinned ? 0 : flag(row, 'pinned_globally') ? 2 : 1,
    isLocked: flag(row, 'closed') || flag(row, 'archived'),
    isFeatured: false,
    views: integer(row, 'views'),
    tags: tags.names,
    poll,
    bounties: [],
  }
}

/** Older topics of the category “Uncategorized” name none. */
function categoryOf({ settings }: Discourse, row: Row): string {
  return row['category_id'] ? id(row, 'category_id') : (settings.get('uncategorized_category_id') ?? '')
}

async function tagsOf({ tables, hiddenTagIds }: Discourse, topicIds: readonly string[]): Promise<Map<string, Tags>> {
  const held = await rowsBy(tables, { table: 'topic_tags', columns: ['tag_id'], column: 'topic_id', order: ['tag_id'] }, topicIds)
  const ids = [...held.values()].flat().map((row) => id(row, 'tag_id'))
  const named = await rowsBy(tables, { table: 'tags', columns: ['name'], column: 'id' }, ids)
  return new Map(
    [...held].map(([topicId, rows]) => {
      const open = rows.filter((row) => !hiddenTagIds.has(id(row, 'tag_id')))
      const names = open.flatMap((row) => (named.get(id(row, 'tag_id')) ?? []).map((tag) => str(tag, 'name')))
      return [topicId, { names, hidden: rows.length - open.length }]
    }),
  )
}

async function solvedAmong({ tables }: Discourse, topicIds: readonly string[]): Promise<Set<string>> {
  const solved = await rowsBy(tables, { table: solvedTopics, columns: [], column: 'topic_id' }, topicIds)
  const fields = await rowsBy(tables, { table: 'topic_custom_fields', columns: ['name', 'value'], column: 'topic_id' }, topicIds)
  const before = [...fields].flatMap(([topicId, rows]) => (rows.some(isSolution) ? [topicId] : []))
  return new Set([...solved.keys(), ...before])
}

function isSolution(row: Row): boolean {
  return str(row, 'name') === solvedField && /^[1-9]\d{0,15}$/.test(str(row, 'value'))
}

/** Accepted answers, as the solved plugin keeps them now, and as it did until 2025. */
export async function* accepted({ tables }: Discourse, { after }: Range): AsyncGenerator<Page<SourceAccepted>> {
  const keys = numberKeys('id')
  const reads = [
    { table: solvedTopics, columns: ['topic_id', 'answer_post_id'], keys },
    {
      table: 'topic_custom_fields',
      columns: ['topic_id', 'name', 'value'],
      keys,
      where: [{ column: 'name', is: '=' as const, value: solvedField }],
    },
  ]
  yield* pagesInTurn(tables, reads, after, (rows, table) =>
    table === solvedTopics
      ? rows.map((row) => ({ threadId: id(row, 'topic_id'), acceptedId: id(row, 'answer_post_id') }))
      : rows.filter(isSolution).map((row) => ({ threadId: id(row, 'topic_id'), acceptedId: str(row, 'value') })),
  )
}
