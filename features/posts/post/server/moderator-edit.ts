import * as audit from '#audit/server/audit.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import { postView, type Post } from '#post/server/lock.ts'
import { takeDown } from '#post/server/take-down.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import * as writing from '#writing/server/writing.ts'

type EditorClient = Pick<ClientInfo, 'ip'>

/** Requires a reason from a moderator; authors need none for their own posts. */
export function requireReason(member: Member, authorId: string, reason: string): void {
  if (member.id !== authorId && !reason) throw ReasonNeeded()
}

/** Removes another author's post, with a reason for its author and the audit log. */
export async function removeAsModerator(tx: Db, member: Member, { ip }: EditorClient, post: Post, reason: string): Promise<void> {
  const { kind, id, authorId } = post
  requireReason(member, authorId, reason)
  await takeDown(tx, [post], { by: 'staff', reason, removal: { byMember: member.id } })
  await audit.noteMember(tx, member.id, { ip }, { action: `${kind}.remove`, about: `${kind} ${id}`, reason })
}

type ModeratorEdit = { post: Post; title: string; options: { reason: string; withholds: boolean } }

/** Notifies the author of an edit by a moderator and records it in the audit log. */
export async function recordModeratorEdit(
  tx: Db,
  member: Member,
  { ip }: EditorClient,
  { post, title, options }: ModeratorEdit,
): Promise<void> {
  const { kind, id, authorId, version } = post
  const { reason, withholds } = options
  const view = await postView(tx, post)
  await notification.notify(tx, authorId, { kind: 'postEdited', post: kind === 'topic' ? { ...view, title } : view, reason })
  const revision = await writing.withholdLatest(tx, kind, id, withholds)
  await audit.noteMember(
    tx,
    member.id,
    { ip },
    {
      action: `${kind}.edit`,
      about: `${kind} ${id}`,
      reason,
      before: { version, revision },
      after: { version: version + 1 },
    },
  )
}
