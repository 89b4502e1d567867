import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, ErasedMember, ErasedPost } from '#base/server/moments.ts'
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

export const wordColumns = Object.keys(wordless)

/** The reviews of a post go along with its content. Only an edit of a topic has a title. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  const isTopic = to.kind === 'topic'
  const title = isTopic ? sql<string>`(select title from topic where id = ${to.id})` : null
  const topic_id = isTopic ? to.id : sql<string>`(select topic_id from comment where id = ${to.id})`
  const its = tx.updateTable('review').where('kind', '=', from.kind).where('post_id', '=', from.id)
  await its.set({ title }).where('is_edit', '=', true).execute()
  await its.set({ kind: to.kind, post_id: to.id, topic_id }).execute()
}

/** Erases the words of a post in its reviews. */
export async function postErased(tx: Db, post: ErasedPost): Promise<void> {
  await tx.updateTable('review').set(wordless).where(posts.isAboutPost(post, 'post_id')).execute()
}

/** Erases the words of all posts of a member who goes with them. */
export async function memberErased(tx: Db, { memberId, withPosts }: ErasedMember): Promise<void> {
  if (withPosts) await tx.updateTable('review').set(wordless).where('author_id', '=', memberId).execute()
}
