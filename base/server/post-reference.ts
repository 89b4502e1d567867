/** Why rows stay as they are: a sentence. */
type Reason = string & {}

/**
 * The fate of rows that reference a post by a column. A column that names threads answers `merged`; one beside the column of a comment or reply
 * `moved`, unless a foreign key updates it; and one that names comments, or posts of any kind, `became`.
 */
export type PostReference = {
  /**
   * The post is erased. `'delete'`: the engine of posts deletes them by a column `topic_id`, `comment_id` or `reply_id`, in the order in which
   * they are declared. `'moment'`: the feature deletes them at `postErased`. `'call'`: the engine calls the feature, which stands above it.
   * `blanks`: they stay, and these columns lose their words.
   */
  erased: 'delete' | 'moment' | 'call' | { blanks: readonly string[] } | Reason
  /** The post goes to another thread: the feature updates them at `postsMoved`, or is called. */
  moved?: 'moment' | 'call' | Reason
  /** The thread goes on in another one: the feature carries them over at `threadMerged`. Its opening becomes a comment there. */
  merged?: 'moment' | Reason
  /** A comment becomes an opening, or an opening a comment: they name the new post, by `postBecame` or by a call. */
  became?: 'moves' | Reason
}
