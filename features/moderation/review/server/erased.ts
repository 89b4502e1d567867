import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember, ErasedPost } from '#base/server/moments.ts'
import * as posts from '#post/server/post.ts'

const wordless = {
  own_title: null,
  own_body: null,
  title: null,
  segments: null,
  body: null,
  summary: null,
  pictures: null,
  file_ids: [],
  words: [],
}

/** Erases the words of a post in its reviews. */
export async function postErased(tx: Db, post: ErasedPost): Promise<void> {
  await tx.updateTable('review').set(wordless).where(posts.isAboutPost(post, 'post_id')).execute()
}

/** Erases the words of all posts of a member who goes with them. */
export async function memberErased(tx: Db, { memberId, withPosts }: ErasedMember): Promise<void> {
  if (withPosts) await tx.updateTable('review').set(wordless).where('author_id', '=', memberId).execute()
}
