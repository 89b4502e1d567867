import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import type { Kind } from '#kind/contract.ts'
import { removedByAnother } from '#post/server/another-hand.ts'
import { lockOwnPost } from '#post/server/lock.ts'
import * as may from '#post/server/may.ts'
import { takeDown } from '#post/server/take-down.ts'

export { adopt, unadopt } from '#post/server/adoption.ts'
export { approve } from '#post/server/approve.ts'
export { wasChanged } from '#post/server/changed.ts'
export { edit, source } from '#post/server/edit.ts'
export { blank, blankRemark, blankThread, erase } from '#post/server/erase.ts'
export { goWithAuthor, goingWith } from '#post/server/go-with-author.ts'
export { furtherTagsOf, putUnder } from '#post/server/further-tags.ts'
export { mayTakeOthersTo, moveThread } from '#post/server/move.ts'
export { heatOf } from '#post/server/heat.ts'
export {
  changeOthers as mayChangeOthers,
  edit as mayEdit,
  post as mayPost,
  postNow as mayPostNow,
  remove as mayRemove,
  view as mayView,
} from '#post/server/may.ts'
export { appeared, giveFloors, moved, nameNewest, presentUnder, transferred } from '#post/server/presence.ts'
export { isAboutPost } from '#post/server/post-and-under.ts'
export { publish } from '#post/server/publish.ts'
export { allReadAt, readUpTo } from '#post/server/read-up-to.ts'
export { publishRemark, type RemarkTarget } from '#post/server/remark.ts'
export { detachFromAppeals } from '#post/server/removal.ts'
export { replace, writeAnew } from '#post/server/rewrite.ts'
export { leaveToAuthor, putBack, takeDown, tellRestored } from '#post/server/take-down.ts'
export { knownThread } from '#post/server/known-thread.ts'
export { setLabel, tellLabelled } from '#post/server/label.ts'
export { findShown, lockPost, lockPosts, openingOf, postView, type Post } from '#post/server/lock.ts'
export {
  findOwnThread,
  findThread,
  lockAnyThread,
  lockThread,
  seen,
  standingOf,
  threadById,
  threadColumns,
  type Thread,
} from '#post/server/thread.ts'
export { countTallies } from '#post/server/tally.ts'
export { rememberTitle } from '#post/server/remember-title.ts'
export { titleWords } from '#post/server/title-words.ts'
export { unwithdraw, withdraw, withdrawAnswered } from '#post/server/withdraw.ts'

/** Removes a member's own post or, as a moderator, one of another author. */
export async function remove(
  tx: Db,
  member: Member,
  { kind, id, reason }: { kind: Kind; id: string; reason: string },
  client: ClientInfo,
): Promise<void> {
  const post = await lockOwnPost(tx, member, kind, id)
  if (!may.remove(member, post)) throw NotAllowed()
  if (member.id === post.authorId) return takeDown(tx, [post], { by: 'author' })
  await removedByAnother(tx, member, client, post, reason)
}
