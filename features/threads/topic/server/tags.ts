import { sql } from 'kysely'
import { NotAllowed } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { traits, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import { TagsNotOpen, TooManyTags, type PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { MoveIsForStaff } from '#topic/contract.ts'

/** The tags of these threads that this viewer may see; the primary tag, which decides visibility, is the first. */
export async function tagsOf(db: Db, viewer: Viewer, topicIds: readonly string[]): Promise<Map<string, PlaceView[]>> {
  const [{ rows }, places] = await Promise.all([
    sql<{ id: string; tagIds: string[] }>`
      select id, array_prepend(tag_id, array(
        select tag_id from topic_tag where topic_tag.topic_id = topic.id and topic_tag.tag_id <> topic.tag_id
          and ${tag.seenBy(viewer, 'topic_tag.tag_id')} order by tag_id
      )) as "tagIds"
      from topic where id = ${anyOf(topicIds)} and ${tag.seenBy(viewer)}`.execute(db),
    tag.places(db),
  ])
  return new Map(rows.map(({ id, tagIds }) => [id, tagIds.flatMap((tagId) => places.get(tagId) ?? [])]))
}

/** The further tags of a thread after an edit: the given ones, and existing ones that this member cannot see. */
export async function allowedFurtherTags(
  tx: Db,
  member: Member,
  thread: { id: string; kind: ThreadKind; tagId: string },
  tagIds: readonly string[],
): Promise<readonly string[]> {
  const further = [...new Set(tagIds)].filter((id) => id !== thread.tagId)
  const { maxQuestionTags: max } = await setting.all(tx)
  if (further.length >= max) throw TooManyTags({ most: max })
  const rows = await tx
    .selectFrom('tag')
    .select('id')
    .where('id', '=', anyOf(further))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tag as below').select('below.id').whereRef('below.parent_id', '=', 'tag.id'))),
    )
    .forKeyShare()
    .execute()
  const before = await tx
    .selectFrom('topic_tag')
    .select('tag_id')
    .where('topic_id', '=', thread.id)
    .whereRef('tag_id', '<>', 'place_id')
    .execute()
  const present = new Set(before.map(({ tag_id }) => tag_id))
  const { post } = traits[thread.kind].topic.rights
  const isAllowed = (id: string) => member.may('tag.view', id) && (present.has(id) || member.may(post, id))
  if (rows.length < further.length || !further.every(isAllowed)) throw TagsNotOpen()
  return [...further, ...[...present].filter((id) => !member.may('tag.view', id))]
}

/** The tag that a member moves a thread of theirs to, after a check of their rights; null if it is there already. */
export async function moveTarget(tx: Db, member: Member, thread: posts.Thread, tagId: string): Promise<string | null> {
  if (tagId === thread.tagId) return null
  if (member.id !== thread.authorId) throw NotAllowed()
  const to = await tag.publishTarget(tx, member, tagId, traits[thread.kind].topic.rights.post)
  if (!(await posts.mayMoveOthersTo(tx, thread, to))) throw MoveIsForStaff()
  return to.id
}
