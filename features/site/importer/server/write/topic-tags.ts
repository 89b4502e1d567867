import { sql } from 'kysely'
import type { Block } from '#base/rich-text/document.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { SourceThread } from '#importer/server/source.ts'
import { newIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { nameFor } from '#importer/server/write/tags.ts'
import * as setting from '#setting/server/setting.ts'

type TaggedThread = { id: string; thread: SourceThread; /** Of its topic tags, here. */ furtherTagIds: readonly string[] }
/** Threads with the tags that they carry here. Further ones stand below their texts, as their readers saw them. */
export type TopicTags = { tagIdsOf(thread: SourceThread): readonly string[]; opening(thread: SourceThread): SourceThread['opening'] }

/** Finds the tags that these threads carry beside their forums, as far as a thread may have so many. */
export async function topicTagsOf(tx: Db, threads: readonly SourceThread[]): Promise<TopicTags> {
  const names = [...new Set(threads.flatMap(({ tags }) => tags))]
  if (names.length === 0) return { tagIdsOf: () => [], opening: ({ opening }) => opening }
  const { maxQuestionTags } = await setting.all(tx)
  const rows = await tx
    .selectFrom('tag')
    .select(['id', 'name_zh'])
    .where('name_zh', '=', anyOf(names.map((name) => nameFor(name, '').name_zh)))
    .where('is_restricted', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tag as below').select('below.id').whereRef('below.parent_id', '=', 'tag.id'))),
    )
    .orderBy('id')
    .execute()
  const ids = new Map(rows.toReversed().map(({ id, name_zh }) => [name_zh, id]))
  const idOf = (name: string) => ids.get(nameFor(name, '').name_zh)
  const carried = ({ tags }: SourceThread) => tags.filter((name) => idOf(name) !== undefined).slice(0, maxQuestionTags - 1)
  return {
    tagIdsOf: (thread) => carried(thread).flatMap((name) => idOf(name) ?? []),
    opening: (thread) => withTags(thread, carried(thread)),
  }
}

function withTags({ tags, opening }: SourceThread, carried: readonly string[]): SourceThread['opening'] {
  const left = tags.filter((name) => !carried.includes(name))
  if (left.length === 0) return opening
  const line: Block = { type: 'paragraph', content: [{ type: 'text', text: left.map((tag) => `#${tag}`).join(' ') }] }
  return { ...opening, body: { ...opening.body, document: { type: 'doc', content: [...opening.body.document.content, line] } } }
}

/** Gives threads their further tags: those of their topic tags, and those that they had in another forum of this program. */
export async function writeFurtherTags(tx: Db, context: ImportContext, threads: readonly TaggedThread[]): Promise<void> {
  const had = threads.flatMap(({ thread }) => thread.furtherTagIds ?? [])
  const tags = await newIds(tx, context, 'tag', had)
  const further = threads.flatMap(({ id, thread, furtherTagIds }) =>
    [...furtherTagIds, ...(thread.furtherTagIds ?? []).flatMap((oldId) => tags.get(oldId) ?? [])].map((tag) => ({ id, tag })),
  )
  if (further.length === 0) return
  await sql`
    insert into topic_tag (topic_id, tag_id, place_id, state, last_reply_at, published_at, heat, is_listed, is_further, language)
    select topic.id, tag, topic.tag_id, question_state, last_reply_at, published_at, heat, status = 'published', true, language
    from unnest(${further.map(({ id }) => id)}::bigint[], ${further.map(({ tag }) => tag)}::bigint[]) as its (id, tag) join topic on topic.id = its.id
    where tag <> topic.tag_id on conflict do nothing`.execute(tx)
}
