/** Rows that stay as they are, with the reason in a sentence. */
type Stays = { stays: string }

/**
 * The outcome for rows that reference a post by a column. A column that names threads answers `merged`; one beside the column of a comment or
 * reply `moved`, unless a foreign key updates it; and one that names comments, or posts of any kind, `became`.
 */
export type PostReference = {
  /**
   * The post is erased. `'delete'`: the engine of posts deletes them by a column `topic_id`, `comment_id` or `reply_id`, in the order in which
   * they are declared. `'moment'`: the feature deletes them at `postErased`. `'call'`: the engine calls the feature, which stands above it.
   * `blanks`: they stay, and these columns lose their words.
   */
  erased: 'delete' | 'moment' | 'call' | { blanks: readonly string[] } | Stays
  /** The post goes to another thread: the feature updates them at `postsMoved`, or is called. */
  moved?: 'moment' | 'call' | Stays
  /** The thread goes on in another one: the feature carries them over at `threadMerged`. Its opening becomes a comment there. */
  merged?: 'moment' | Stays
  /** A comment becomes an opening, or an opening a comment: they name the new post, by `postBecame` or by a call. */
  became?: 'moves' | Stays
}
