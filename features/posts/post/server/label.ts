import type { AiLabelView } from '#ai-label/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import { postView, type Post } from '#post/server/lock.ts'

/** Sets or clears the AI label of a locked post. No version is stored, since the content is unchanged. */
export async function setLabel(tx: Db, { kind, id, thread }: Post, label: AiLabelView): Promise<void> {
  await tx.updateTable(kind).set({ ai_label: label }).where('id', '=', id).execute()
  if (kind === 'topic') invalidateThread(tx, thread)
  else invalidate(tx, `topic:${thread.id}`)
}

/** Notifies an author that staff labelled a post of theirs, or removed its label. */
export async function notifyLabelled(tx: Db, post: Post, label: AiLabelView, reason: string): Promise<void> {
  const kind = label ? 'postLabelled' : 'postUnlabelled'
  await notification.notify(tx, post.authorId, { kind, post: await postView(tx, post), reason })
}
