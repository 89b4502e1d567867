import * as audit from '#audit/server/audit.ts'
import type { Output, Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import * as comments from '#comment/server/comment.ts'
import { ChangedSince, type commentAsStaff, type replyAsStaff } from '#content/contract.ts'
import type { Kind } from '#content/views.ts'
import * as notice from '#notice/server/notice.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

type Draft = { kind: Kind; id: string; version: number; title?: string; body: Doc; reason: string; withholds: boolean }

/** Replaces what a post says, unless somebody else did since it was read. */
export async function edit(tx: Db, by: Staff, from: From, draft: Draft): Promise<void> {
  const { kind, id, title, body, reason } = draft
  const post = await comments.lockPost(tx, kind, id)
  if (post.version !== draft.version) throw await clash(tx, post)
  const { authorId } = post
  const named = title !== undefined && { title }
  const ready = await writing.prepare(tx, { kind, by, authorId, document: body, origin: from.origin, ...named })
  if (!(await write(by, post, ready))) return
  if (by.id !== authorId) await notice.tell(tx, authorId, { kind: 'postEdited', post: { ...(await post.told()), ...named }, reason })
  await noteEdit(tx, by, from, post, draft)
}

export async function comment(tx: Db, by: Staff, from: From, draft: Taken<typeof commentAsStaff>): Promise<Output<typeof commentAsStaff>> {
  const added = await comments.add(tx, by, draft, from)
  await audit.note(tx, by.staff, from, { deed: 'comment.add', about: `comment ${added.commentId}` })
  return added
}

export async function reply(tx: Db, by: Staff, from: From, draft: Taken<typeof replyAsStaff>): Promise<Output<typeof replyAsStaff>> {
  const added = await comments.addReply(tx, by, draft, from)
  await audit.note(tx, by.staff, from, { deed: 'reply.add', about: `reply ${added.replyId}` })
  return added
}

async function clash(tx: Db, { kind, id }: comments.Post) {
  const row = await tx.selectFrom(kind).select(['author_id', 'edited_by']).where('id', '=', id).executeTakeFirstOrThrow()
  const who = row.edited_by ?? row.author_id
  return ChangedSince({ name: (await user.authors(tx, [who])).get(who)?.name ?? '' })
}

async function write(by: Staff, post: comments.Post, ready: writing.Ready): Promise<boolean> {
  if (post.status !== 'pending') return post.replace(by, ready)
  await post.writeAnew(by, ready)
  return true
}

// What it changed is read from the versions, for in the log it would outlive them.
async function noteEdit(tx: Db, by: Staff, from: From, post: comments.Post, { reason, withholds }: Draft): Promise<void> {
  const { kind, id, status, version } = post
  const revision = status === 'pending' ? null : await writing.putAway(tx, kind, id, withholds)
  await audit.note(tx, by.staff, from, {
    deed: `${kind}.edit`,
    about: `${kind} ${id}`,
    ...(reason && { reason }),
    before: { version, ...(revision && { revision }) },
    after: { version: version + 1 },
  })
}
