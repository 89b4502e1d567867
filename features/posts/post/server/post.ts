import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import type { Kind } from '#kind/contract.ts'
import { removeAsModerator } from '#post/server/moderator-edit.ts'
import { lockOwnPost } from '#post/server/lock.ts'
import { mayRemove } from '#post/server/may.ts'
import { takeDown } from '#post/server/take-down.ts'

export { adopt, unadopt } from '#post/server/adoption.ts'
export { approve } from '#post/server/approve.ts'
export { addRowTags, invalidateThread, openerTag } from '#post/server/invalidate-thread.ts'
export { edit, source } from '#post/server/edit.ts'
export { blank, blankRemark, blankThread, erase } from '#post/server/erase.ts'
export { eraseWithAuthor, postsToErase } from '#post/server/erase-with-author.ts'
export { furtherTagsOf, setFurtherTags } from '#post/server/further-tags.ts'
export { mayMoveOthersTo, moveThread } from '#post/server/move.ts'
export { heatOf } from '#post/server/heat.ts'
export { mayChangeOthers, mayEdit, mayPost, mayPostNow, mayRemove, mayView } from '#post/server/may.ts'
export { visible, type PostSummary } from '#post/server/visible.ts'
export { onPublished, setFloors, onMoved, updateLastReply, visibleUnder, onAuthorChanged } from '#post/server/visibility.ts'
export { isAboutPost } from '#post/server/post-and-under.ts'
export { publish } from '#post/server/publish.ts'
export { markedReadAt, saveReadPosition } from '#post/server/read-position.ts'
export { publishRemark, type RemarkTarget } from '#post/server/publish-remark.ts'
export { detachFromAppeals } from '#post/server/removal.ts'
export { replaceContent, overwritePending } from '#post/server/rewrite.ts'
export { returnToAuthor, putBack, takeDown, notifyRestored } from '#post/server/take-down.ts'
export { cachedThread } from '#post/server/thread-cache.ts'
export { setLabel, notifyLabelled } from '#post/server/label.ts'
export { findPublished, lockPost, lockPosts, openingOf, postView, type Post } from '#post/server/lock.ts'
export {
  findOwnThread,
  findThread,
  lockAnyThread,
  lockThread,
  requireVisible,
  publicStateOf,
  threadById,
  threadColumns,
  type Thread,
} from '#post/server/thread.ts'
export { applyTallies } from '#post/server/tally.ts'
export { indexTitle } from '#post/server/index-title.ts'
export { titleWords } from '#post/server/title-words.ts'
export { putBackWithdrawn, unwithdraw, withdraw, withdrawAnswered } from '#post/server/withdraw.ts'

/** Removes a member's own post or, as a moderator, one of another author. */
export async function remove(
  tx: Db,
  member: Member,
  { kind, id, reason }: { kind: Kind; id: string; reason: string },
  client: ClientInfo,
): Promise<void> {
  const post = await lockOwnPost(tx, member, kind, id)
  if (!mayRemove(member, post)) throw NotAllowed()
  if (member.id === post.authorId) return takeDown(tx, [post], { by: 'author' })
  await removeAsModerator(tx, member, client, post, reason)
}
