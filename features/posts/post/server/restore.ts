import { sql } from 'kysely'
import { Missing, NotAllowed, type Output, type ParsedInput } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { tables, traits, type Kind, type RemarkKind, type ThreadKind } from '#kind/contract.ts'
import {
  BountyWentBack,
  BuyersRefunded,
  DecidedSince,
  EnvelopeWentBack,
  restorableHours,
  TooLateToRestore,
  type deletedList,
  type restorePost,
} from '#post/contract.ts'
import { lockPost, type Post } from '#post/server/lock.ts'
import * as may from '#post/server/may.ts'
import { duplicateScopeOf } from '#post/server/post-location.ts'
import { refuseForbiddenSince } from '#post/server/returning-words.ts'
import { putBack } from '#post/server/take-down.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as writing from '#writing/server/writing.ts'

const maxListed = 100
const isInTime = sql<boolean>`deleted_at > clock_timestamp() - make_interval(hours => ${restorableHours}::int)`

type DeletedPostRow = {
  kind: Kind
  thread: ThreadKind
  id: string
  topicId: string
  commentId: string | null
  title: string
  excerpt: string
  deletedAt: Date
}

/** A member's own deleted posts that they may restore and see. */
export async function listDeleted(db: Db, member: Member): Promise<Output<typeof deletedList>> {
  const { rows } = await sql<DeletedPostRow>`
    select * from (${sql.join([deletedOpenings(member), deletedRemarks(member, 'comment'), deletedRemarks(member, 'reply')], sql` union all `)}) as gone
    order by "deletedAt" desc, id desc limit ${maxListed}`.execute(db)
  return { posts: rows.map(({ deletedAt, ...post }) => ({ ...post, deletedAt: deletedAt.toISOString() })) }
}

function deletedOpenings(member: Member) {
  return sql`
    select 'topic' as kind, kind as thread, id, id as "topicId", null::bigint as "commentId", title, summary as excerpt, deleted_at as "deletedAt"
    from topic where author_id = ${member.id} and deleted_by = 'author' and deleted_from = 'published' and purged_at is null and ${isInTime}
      and ${tag.seenBy(member)}`
}

function deletedRemarks(member: Member, kind: RemarkKind) {
  const its = (column: string) => sql`post.${sql.ref(column)}`
  return sql`
    select ${kind} as kind, topic.kind as thread, post.id, topic.id as "topicId", ${kind === 'comment' ? sql`post.id` : sql`post.comment_id`} as "commentId",
      topic.title, ${its(tables[kind].text)} as excerpt, post.deleted_at as "deletedAt"
    from (select * from ${sql.table(kind)} where author_id = ${member.id} and deleted_by = 'author' and deleted_from = 'published'
      and purged_at is null and ${isInTime}) as post join topic on topic.id = post.topic_id
    where topic.status = 'published' and ${tag.seenBy(member)}`
}

/** Restores a post that its author deleted; refuses if it cannot be as it was. */
export async function restore(tx: Db, member: Member, { kind, id }: ParsedInput<typeof restorePost>): Promise<void> {
  role.refuseBanned(member, [kind])
  const post = await lockPost(tx, kind, id)
  if (post.authorId !== member.id || post.deletedBy !== 'author' || post.deletedFrom !== 'published') throw Missing()
  if (!may.seeThread(member, post)) throw Missing()
  if (!may.restore(member, post)) throw NotAllowed()
  const settings = await setting.mustBeOpen(tx, traits[post.thread.kind][kind].allow)
  const { deletedAt, isDecided } = await deletionOf(tx, post)
  if (isDecided) throw DecidedSince()
  await refuseIfMoneyMoved(tx, post, deletedAt)
  await reclaimText(tx, member, post, settings)
  await putBack(tx, [post], { notifies: false })
  await refuseForbiddenSince(tx, member, post)
}

async function refuseIfMoneyMoved(tx: Db, { kind, id }: Post, since: Date): Promise<void> {
  if (kind === 'topic' && (await bounty.refundedSince(tx, id, since))) throw BountyWentBack()
  if (await redEnvelope.refundedSince(tx, { kind, id }, since)) throw EnvelopeWentBack()
  if (await hiddenPart.refundedSince(tx, { kind, id }, since)) throw BuyersRefunded()
}

/**
 * The author may have posted the same text elsewhere since the deletion; the restored post becomes subject to the duplicate check
 * again.
 */
async function reclaimText(tx: Db, member: Member, post: Post, settings: Settings): Promise<void> {
  const { kind, id, thread } = post
  const { body } = await tx.selectFrom(kind).select('body').where('id', '=', id).executeTakeFirstOrThrow()
  const text = writing.comparedTextOf(body as Doc, duplicateScopeOf({ ...post, title: thread.title }))
  const throttle = writing.throttle(settings, member, { kind, ...text })
  const { rows } = await sql<{ isUnique: boolean }>`
    with changed as (select id from ${sql.table(kind)} where id = ${id}), deduplicated as (${writing.deduplicatedAnew(tx, throttle)})
    select ${writing.isUnique} from changed`.execute(tx)
  await writing.refuseIfThrottled(tx, throttle, { isCounted: true, isUnique: rows[0]?.isUnique ?? false })
}

/** The time of the deletion, if within the limit, and whether staff have upheld a report of the post or cleaned up its author since. */
async function deletionOf(tx: Db, { kind, id, authorId }: Post): Promise<{ deletedAt: Date; isDecided: boolean }> {
  const { rows } = await sql<{ deletedAt: Date | null; isInTime: boolean; isDecided: boolean }>`
    select deleted_at as "deletedAt", ${isInTime} as "isInTime",
      exists (select from report_case where report_case.kind = ${kind} and thing_id = post.id and outcome = 'succeeded' and decided_at >= deleted_at)
        or exists (select from member_cleanup where member_id = ${authorId} and status <> 'restored' and began_at >= deleted_at) as "isDecided"
    from ${sql.table(kind)} as post where id = ${id}`.execute(tx)
  const [row] = rows
  if (!row?.deletedAt) throw Missing()
  if (!row.isInTime) throw TooLateToRestore()
  return { deletedAt: row.deletedAt, isDecided: row.isDecided }
}
