import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Doc } from '#base/rich-text/document.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { tables, type Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import { furtherTagsOf, setFurtherTags, hasFurtherTags } from '#post/server/further-tags.ts'
import { fileOwnerOf, duplicateScopeOf } from '#post/server/post-location.ts'
import type { Post } from '#post/server/lock.ts'
import { mayMoveOthersTo, moveThread } from '#post/server/move.ts'
import { indexTitle } from '#post/server/index-title.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as writing from '#writing/server/writing.ts'

/** Replaces the content of a locked post and stores the former as a version. Returns false if it is unchanged. */
export async function replaceContent(tx: Db, by: Member, post: Post, ready: writing.PreparedPost, editedBy = by.id): Promise<boolean> {
  const { kind, id, authorId, thread } = post
  const inside = await saveHiddenParts(tx, post, ready)
  if (!(await saveVersion(tx, kind, id, ready, inside !== 'same'))) return false
  // A part that is hidden now may have been public in earlier versions.
  if (inside === 'more') await writing.withholdEarlier(tx, kind, id)
  const settings = await setting.all(tx)
  const { title, text, fileIds } = ready
  const throttle = writing.throttle(settings, by, {
    kind,
    authorId,
    text,
    fileIds,
    place: duplicateScopeOf({ ...post, title }),
  })
  const { rows } = await sql<{ isUnique: boolean }>`
    with changed as (
      update ${sql.table(kind)} set ${contentOf(kind, ready)}, edited_at = clock_timestamp(), edited_by = ${editedBy}, version = version + 1
      where id = ${id} returning id
    ), deduplicated as (${writing.deduplicatedAnew(tx, throttle)})
    select ${writing.isUnique} from changed`.execute(tx)
  await writing.refuseIfDuplicate(throttle, rows[0]?.isUnique ?? false, () => earlierTexts(tx, post))
  await file.attach(tx, fileIds, fileOwnerOf(post))
  await notification.notifyOfPost(tx, post, { onlyMentioned: true })
  await moveToTags(tx, thread, ready)
  if (kind !== 'topic') invalidate(tx, `topic:${thread.id}`)
  else await invalidateOpening(tx, post, title)
  return true
}

async function invalidateOpening(tx: Db, { id, thread }: Post, title: string): Promise<void> {
  if (title !== thread.title) await indexTitle(tx, id, title)
  invalidateThread(tx, thread)
  invalidate(tx, 'titles')
}

/** Overwrites a post that was never visible: no version is stored, except for the author's text when a moderator overwrites it. */
export async function overwritePending(tx: Db, by: Member, post: Post, ready: writing.PreparedPost): Promise<void> {
  const { kind, id } = post
  await writing.recordEditor(tx, by, kind, id)
  await sql`update ${sql.table(kind)} set ${contentOf(kind, ready)}, version = version + 1 where id = ${id}`.execute(tx)
  await saveHiddenParts(tx, post, ready)
  await file.attach(tx, ready.fileIds, fileOwnerOf(post))
  await moveToTags(tx, post.thread, ready)
}

// Since the tags were chosen, one may have been deleted or got subtags, or others may have posted for the readers here: then the
// thread stays.
async function moveToTags(tx: Db, thread: Post['thread'], { tagId, tagIds }: writing.PreparedPost): Promise<void> {
  const to = tagId && tagId !== thread.tagId ? await tag.lockLeaf(tx, tagId) : null
  if (to && (await mayMoveOthersTo(tx, thread, to))) await moveThread(tx, thread, to)
  if (tagIds) await setFurtherTags(tx, thread.id, tagIds)
}

/** Stores the hidden parts; a reply has none. Returns whether they changed, since the visible content does not show it. */
async function saveHiddenParts(tx: Db, { kind, id, thread }: Post, { hidden }: writing.PreparedPost) {
  if (kind === 'reply') return 'same'
  return hiddenPart.save(tx, { topicId: thread.id, ...(kind === 'comment' && { commentId: id }) }, hidden)
}

/** Whether a post has this content already. */
export async function isUnchanged(tx: Db, kind: Kind, id: string, ready: writing.PreparedPost): Promise<boolean> {
  if (!(await hiddenPart.areUnchanged(tx, ready.hidden))) return false
  const { rows } = await sql<{
    same: boolean
  }>`select ${isSame(kind, id, ready)} as same from ${sql.table(kind)} where id = ${id}`.execute(tx)
  return rows[0]?.same ?? false
}

function contentOf(kind: Kind, { title, body, segments, summary, pictures, locks, ai }: writing.PreparedPost) {
  const label = ai ? sql`, ai_label = ${aiLabel.labelAfter(ai)}` : sql``
  const common = sql`body = ${body}::jsonb, segments = ${segments}::jsonb, ${sql.ref(tables[kind].text)} = ${summary}${label}`
  return kind === 'topic' ? sql`${common}, title = ${title}, pictures = ${pictures}::jsonb, locks = ${locks}::text[]` : common
}

function isSame(kind: Kind, id: string, { title, body, tagId, tagIds, ai }: writing.PreparedPost) {
  const label = ai ? sql`and ai_label is not distinct from ${aiLabel.labelAfter(ai)}` : sql``
  if (kind !== 'topic') return sql`body = ${body}::jsonb ${label}`
  const tags = [...(tagId ? [sql`and tag_id = ${tagId}`] : []), ...(tagIds ? [sql`and ${hasFurtherTags(id, tagIds)}`] : [])]
  return sql`title = ${title} and body = ${body}::jsonb ${label} ${sql.join(tags, sql` `)}`
}

// Returns false if the content is unchanged.
async function saveVersion(tx: Db, kind: Kind, id: string, ready: writing.PreparedPost, isOtherInside: boolean): Promise<boolean> {
  const [columns, values] = kind === 'topic' ? [sql`, title, tag_ids`, sql`, title, ${furtherTagsOf(id)}`] : [sql``, sql``]
  const { numAffectedRows } = await sql`
    insert into ${sql.table(tables[kind].revisions)} (${sql.ref(`${kind}_id`)}, body, ai_label, written_at, written_by${columns})
    select id, body, ai_label, coalesce(edited_at, published_at), edited_by${values} from ${sql.table(kind)}
    where id = ${id} and (${isOtherInside} or not (${isSame(kind, id, ready)}))`.execute(tx)
  return Number(numAffectedRows) > 0
}

async function earlierTexts(tx: Db, post: Post) {
  const { kind, id } = post
  const title = kind === 'topic' ? sql`title` : sql`''`
  const { rows } = await sql<{ title: string; body: unknown }>`
    select ${title} as title, body from ${sql.table(tables[kind].revisions)} where ${sql.ref(`${kind}_id`)} = ${id}`.execute(tx)
  return rows.map((row) => writing.comparedTextOf(row.body as Doc, duplicateScopeOf({ ...post, title: row.title })))
}
