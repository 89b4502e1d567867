import type { Db } from '#base/server/database/connection.ts'
import { programOf } from '#base/server/program.ts'

export type MergedMembers = { from: string; into: string }
export type MergedThreads = { from: string; into: string }
export type ErasedMember = { memberId: string; withPosts: boolean }
/**
 * `withReplies`, of a topic, says that all posts under it are erased as well; `keepsThread`, that its title and the posts of others stay on the
 * page, as those of a withdrawn question do.
 */
export type ErasedPost = { kind: 'topic' | 'comment' | 'reply'; id: string; withReplies: boolean; keepsThread: boolean }

/** A post that becomes visible or stops being it, in the thread where it is before the moment. */
export type VisibilityPost = { kind: 'topic' | 'comment' | 'reply'; id: string; authorId: string; topicId: string }
/** A post whose content goes on as a post of another kind: a comment as the opening of a thread, or back. Both rows are there. */
export type BecamePost = Record<'from' | 'to', { kind: 'topic' | 'comment'; id: string }>
export type MovedPosts = { posts: readonly VisibilityPost[]; to: { topicId: string; kind: 'topic' | 'question'; tagId: string } }

/**
 * Moments in a transaction that several features take part in. The cause dispatches a moment; each feature that lists it in its `feature.ts` takes
 * part, in the order of the features, before the cause goes on. Whatever throws undoes the whole transaction.
 */
export type Moments = {
  /** A member is about to be merged into another, and both are locked. Credentials go over, before the account ends. */
  membersMerging(tx: Db, members: MergedMembers): Promise<void>
  /** The posts of a merged member have been transferred, and both members are locked. Everything else that names the member goes over. */
  membersMerged(tx: Db, members: MergedMembers & { mergingId: string }): Promise<void>
  /** An account is about to be erased: its names are given up and its credentials go. */
  memberErasing(tx: Db, memberId: string): Promise<void>
  /** The last step of erasing an account: whatever still names the person goes. */
  memberErased(tx: Db, erased: ErasedMember): Promise<void>
  /** The words of a post are erased for good. */
  postErased(tx: Db, post: ErasedPost): Promise<void>
  /** Posts are on the page from now on: new, approved or restored ones. A new thread has its tags and its parts already. */
  postsPublished(tx: Db, posts: readonly VisibilityPost[]): Promise<void>
  /** Posts that were on the page are off it: removed, rejected or about to be erased. Those under a removed thread are not named. */
  postsUnpublished(tx: Db, posts: readonly VisibilityPost[]): Promise<void>
  /** Visible posts moved to another thread, or their thread to another tag or kind. */
  postsMoved(tx: Db, moved: MovedPosts): Promise<void>
  /** A comment is the opening of a thread from now on, or an opening a comment of its thread. References to the former post name the new one. */
  postBecame(tx: Db, post: BecamePost): Promise<void>
  /** Staff or the asker closed a thread to comments, or opened it again. */
  threadLocked(tx: Db, thread: { topicId: string; isLocked: boolean }): Promise<void>
  /** The asker or staff withdrew a question, of which title and answers stay, or put it back. */
  threadWithdrawn(tx: Db, thread: { topicId: string; isWithdrawn: boolean }): Promise<void>
  /** A thread went on in another one, and is closed. */
  threadMerged(tx: Db, threads: MergedThreads): Promise<void>
}

type TakesPart = { name: string; moments?: Partial<Moments> }

/** Lets each feature that takes part in a moment do so, one after another, in the order of the features and inside the transaction. */
export async function dispatch<Name extends keyof Moments>(
  tx: Db,
  name: Name,
  ...args: Parameters<Moments[Name]> extends [Db, ...infer Rest] ? Rest : never
): Promise<void> {
  const features = programOf(tx).features as readonly TakesPart[]
  if (features.length === 0) throw new Error(`Nobody would take part in ${name}: the database was opened without features`)
  for (const { moments } of features) {
    const takePart = moments?.[name] as ((tx: Db, ...args: unknown[]) => Promise<void>) | undefined
    if (takePart) await takePart(tx, ...args)
  }
}
