import * as audit from '#audit/server/audit.ts'
import type { Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import * as comments from '#comment/server/comment.ts'
import {
  ChangedSince,
  type commentAsStaff,
  type editCommentAsStaff,
  type editReplyAsStaff,
  type editTopicAsStaff,
  type replyAsStaff,
} from '#content/contract.ts'
import { putAway } from '#content/server/versions.ts'
import type { Kind } from '#content/views.ts'
import * as notice from '#notice/server/notice.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

/** Replaces what a topic says, unless somebody else did since it was read. */
export async function editTopic(tx: Db, by: Staff, from: From, draft: Taken<typeof editTopicAsStaff>): Promise<void> {
  const topic = await topics.lockAny(tx, draft.topicId)
  await refuseClash(tx, 'topic', topic, draft.version)
  if (!(await topics.rewrite(tx, by, topic, draft, from))) return
  await tell(tx, by, topic.authorId, { post: topics.postOf({ ...topic, title: draft.title }), reason: draft.reason })
  await noteEdit(tx, by, from, { kind: 'topic', post: topic, ...draft })
}

export async function editComment(tx: Db, by: Staff, from: From, draft: Taken<typeof editCommentAsStaff>): Promise<void> {
  const found = await comments.lockAnyComment(tx, draft.commentId)
  await refuseClash(tx, 'comment', found.comment, draft.version)
  if (!(await comments.rewriteComment(tx, by, found, draft.body, from))) return
  const post = await comments.postOfComment(tx, found.topic, found.comment)
  await tell(tx, by, found.comment.authorId, { post, reason: draft.reason })
  await noteEdit(tx, by, from, { kind: 'comment', post: found.comment, ...draft })
}

export async function editReply(tx: Db, by: Staff, from: From, draft: Taken<typeof editReplyAsStaff>): Promise<void> {
  const found = await comments.lockAnyReply(tx, draft.replyId)
  await refuseClash(tx, 'reply', found.reply, draft.version)
  if (!(await comments.rewriteReply(tx, by, found, draft.body, from))) return
  const post = await comments.postOfReply(tx, found.topic, found.reply)
  await tell(tx, by, found.reply.authorId, { post, reason: draft.reason })
  await noteEdit(tx, by, from, { kind: 'reply', post: found.reply, ...draft })
}

export async function comment(tx: Db, by: Staff, from: From, draft: Taken<typeof commentAsStaff>) {
  const added = await comments.add(tx, by, draft, from)
  await audit.note(tx, by.staff, from, { deed: 'comment.add', about: `comment ${added.commentId}` })
  return added
}

export async function reply(tx: Db, by: Staff, from: From, draft: Taken<typeof replyAsStaff>) {
  const added = await comments.addReply(tx, by, draft, from)
  await audit.note(tx, by.staff, from, { deed: 'reply.add', about: `reply ${added.replyId}` })
  return added
}

async function refuseClash(tx: Db, table: Kind, { id, version }: { id: string; version: number }, read: number): Promise<void> {
  if (version === read) return
  const row = await tx.selectFrom(table).select(['author_id', 'edited_by']).where('id', '=', id).executeTakeFirstOrThrow()
  const who = row.edited_by ?? row.author_id
  throw ChangedSince({ name: (await user.authors(tx, [who])).get(who)?.name ?? '' })
}

type Told = { post: notice.PostView; reason: string }

async function tell(tx: Db, by: Staff, authorId: string, told: Told): Promise<void> {
  if (by.id !== authorId) await notice.tell(tx, authorId, { kind: 'postEdited', ...told })
}

type Edit = { kind: Kind; post: { id: string; status: string; version: number }; reason: string; withholds: boolean }

// What it changed is read from the versions, for in the log it would outlive them.
async function noteEdit(tx: Db, by: Staff, from: From, { kind, post, reason, withholds }: Edit): Promise<void> {
  const { id, status, version } = post
  const revision = status === 'pending' ? null : await putAway(tx, kind, id, withholds)
  await audit.note(tx, by.staff, from, {
    deed: `${kind}.edit`,
    about: `${kind} ${id}`,
    ...(reason && { reason }),
    before: { version, ...(revision && { revision }) },
    after: { version: version + 1 },
  })
}
