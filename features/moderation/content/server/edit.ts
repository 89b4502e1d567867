import * as audit from '#audit/server/audit.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as comments from '#comment/server/comment.ts'
import { ChangedSince } from '#content/contract.ts'
import * as notification from '#notification/server/notification.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'
import type { Kind } from '#kind/contract.ts'

type AddedRemark = Awaited<ReturnType<typeof comments.add>>
type EditInput = { kind: Kind; id: string; version: number; title?: string; body: Doc; reason: string; withholds: boolean }

/** Replaces the content of a post, unless another editor changed it since it was loaded. */
export async function edit(tx: Db, by: Staff, client: ClientInfo, draft: EditInput): Promise<void> {
  const { kind, id, title, body, reason } = draft
  const post = await posts.lockPost(tx, kind, id)
  if (kind === 'topic' && post.thread.isWithdrawn) throw NotAllowed()
  if (post.version !== draft.version) throw await conflictError(tx, post)
  const { authorId } = post
  const named = title !== undefined && { title }
  const place = { topicId: post.thread.id, ...(kind === 'comment' && { commentId: id }) }
  const input = { kind, thread: post.thread.kind, by, authorId, place, document: body, origin: client.origin, ...named }
  const ready = await writing.prepare(tx, input)
  if (!(await write(tx, by, post, ready))) return
  if (by.id !== authorId)
    await notification.notify(tx, authorId, { kind: 'postEdited', post: { ...(await posts.postView(tx, post)), ...named }, reason })
  await auditEdit(tx, by, client, post, draft)
}

/** Adds a comment or a reply as the member account of staff. */
export async function add(tx: Db, by: Staff, client: ClientInfo, draft: comments.RemarkInput): Promise<AddedRemark> {
  const added = await comments.add(tx, by, draft, client)
  await audit.note(tx, by.staff, client, { action: `${draft.kind}.add`, about: `${draft.kind} ${added.id}` })
  return added
}

async function conflictError(tx: Db, { kind, id }: posts.Post) {
  const row = await tx.selectFrom(kind).select(['author_id', 'edited_by']).where('id', '=', id).executeTakeFirstOrThrow()
  const who = row.edited_by ?? row.author_id
  return ChangedSince({ name: (await user.authors(tx, [who])).get(who)?.name ?? '' })
}

async function write(tx: Db, by: Staff, post: posts.Post, ready: writing.PreparedPost): Promise<boolean> {
  if (post.status !== 'pending') return posts.replaceContent(tx, by, post, ready)
  await posts.overwritePending(tx, by, post, ready)
  return true
}

// The audit log stores ids of versions only, since texts in it could not be erased.
async function auditEdit(tx: Db, by: Staff, client: ClientInfo, post: posts.Post, { reason, withholds }: EditInput): Promise<void> {
  const { kind, id, status, version } = post
  const revision = status === 'pending' ? null : await writing.withholdLatest(tx, kind, id, withholds)
  await audit.note(tx, by.staff, client, {
    action: `${kind}.edit`,
    about: `${kind} ${id}`,
    ...(reason && { reason }),
    before: { version, ...(revision && { revision }) },
    after: { version: version + 1 },
  })
}
