import { withEmoji } from '#importer/server/body/emoji-names.ts'
import { bodiesOf, bodyColumns } from '#importer/server/discourse/bodies.ts'
import { isGone, isWritten } from '#importer/server/discourse/posts.ts'
import { str, type Discourse } from '#importer/server/discourse/source.ts'
import type { Page, Range, SourceMessage } from '#importer/server/source.ts'
import { idsBetween, numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { id, dateTime, flag, integer, type Row } from '#importer/server/tables/source-tables.ts'

const columns = ['id', 'topic_id', 'post_type', 'deleted_at', 'hidden', 'user_deleted']
const fullColumns = [...bodyColumns, 'user_id', 'topic_id', 'post_number', 'created_at']

/** The posts of private messages, each to all who take part. */
export async function* messages(discourse: Discourse, { after, since, upto }: Range): AsyncGenerator<Page<SourceMessage>> {
  const { tables } = discourse
  const read = { table: 'posts', columns, keys: numberKeys('id'), where: idsBetween('id', since, upto) }
  yield* pagesOf(tables, read, after, async (all) => {
    const written = all.filter((row) => isWritten(row) && !isGone(row))
    const topics = await correspondence(
      discourse,
      written.map((row) => id(row, 'topic_id')),
    )
    const coming = written.filter((row) => topics.has(id(row, 'topic_id')))
    const found = await rowsBy(
      tables,
      { table: 'posts', columns: fullColumns, column: 'id' },
      coming.map((row) => id(row, 'id')),
    )
    const rows = coming.flatMap((row) => found.get(id(row, 'id')) ?? []).filter((row) => integer(row, 'user_id') > 0)
    const bodies = await bodiesOf(
      discourse,
      rows.map((row) => ({ row, polls: new Set() })),
    )
    return rows.flatMap((row, at) => {
      const [topic, body] = [topics.get(id(row, 'topic_id')), bodies[at]]
      return topic && body ? messageOf(row, topic, body) : []
    })
  })
}

type Correspondence = {
  title: string
  people: ReadonlySet<string>
  /** The last number that each has read. */ read: ReadonlyMap<string, number>
}

function messageOf(row: Row, { title, people, read }: Correspondence, body: SourceMessage['body']): SourceMessage[] {
  const [authorId, number] = [id(row, 'user_id'), integer(row, 'post_number')]
  const readerIds = [...people].filter((one) => one !== authorId)
  if (readerIds.length === 0) return []
  return [
    {
      id: id(row, 'id'),
      authorId,
      readerIds,
      title: number === 1 ? title : '',
      body,
      sentAt: dateTime(row, 'created_at') ?? new Date(0),
      isRead: readerIds.every((one) => (read.get(one) ?? 0) >= number),
    },
  ]
}

/** Those of some topics that are private messages, with the members who take part: by themselves, and by groups that people made. */
async function correspondence({ tables }: Discourse, topicIds: readonly string[]): Promise<Map<string, Correspondence>> {
  const by = (table: string, has: readonly string[], column: string, values: readonly string[]) =>
    rowsBy(tables, { table, columns: has, column }, values)
  const all = [...(await by('topics', ['title', 'archetype', 'deleted_at'], 'id', topicIds)).values()].flat()
  const topics = all.filter((row) => str(row, 'archetype') === 'private_message' && row['deleted_at'] === null)
  const ids = topics.map((row) => id(row, 'id'))
  const [users, groups] = [
    await by('topic_allowed_users', ['user_id'], 'topic_id', ids),
    await by('topic_allowed_groups', ['group_id'], 'topic_id', ids),
  ]
  const groupIds = [...groups.values()].flat().map((row) => id(row, 'group_id'))
  const made = [...(await by('groups', ['automatic'], 'id', groupIds)).values()].flat().filter((row) => !flag(row, 'automatic'))
  const held = await by(
    'group_users',
    ['user_id'],
    'group_id',
    made.map((row) => id(row, 'id')),
  )
  const read = await by('topic_users', ['user_id', 'last_read_post_number'], 'topic_id', ids)
  return new Map(
    topics.map((row) => {
      const its = id(row, 'id')
      const ofGroups = (groups.get(its) ?? []).flatMap((group) => held.get(id(group, 'group_id')) ?? [])
      const people = [...(users.get(its) ?? []), ...ofGroups].map((one) => id(one, 'user_id')).filter((one) => !one.startsWith('-'))
      const numbers = (read.get(its) ?? []).map((one) => [id(one, 'user_id'), integer(one, 'last_read_post_number')] as const)
      return [its, { title: withEmoji(str(row, 'title')), people: new Set(people), read: new Map(numbers) }]
    }),
  )
}
