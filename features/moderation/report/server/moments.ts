import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, ErasedMember, ErasedPost } from '#base/server/moments.ts'
import * as posts from '#post/server/post.ts'

const copies = ['report_case', 'removal'] as const

/** Erases the copies of a post in its reports and appeals. Comments that moved on keep their words, without the title of the topic. */
export async function postErased(tx: Db, post: ErasedPost): Promise<void> {
  for (const table of copies) {
    await tx.updateTable(table).set({ title: '', excerpt: '' }).where(posts.isAboutPost(post, 'thing_id')).execute()
    if (post.kind === 'topic' && post.withReplies) await tx.updateTable(table).set({ title: '' }).where('topic_id', '=', post.id).execute()
  }
}

/** The reports and appeals of a post go along with its content. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  const isComment = to.kind === 'comment'
  const topic_id = isComment ? sql<string>`(select topic_id from comment where id = ${to.id})` : to.id
  const place = { kind: to.kind, thing_id: to.id, topic_id, comment_id: isComment ? to.id : null }
  for (const table of copies) await tx.updateTable(table).set(place).where('kind', '=', from.kind).where('thing_id', '=', from.id).execute()
}

/** Erases the copies of all posts of a member who goes with them. */
export async function memberErased(tx: Db, { memberId, withPosts }: ErasedMember): Promise<void> {
  if (!withPosts) return
  for (const table of copies) await tx.updateTable(table).set({ title: '', excerpt: '' }).where('author_id', '=', memberId).execute()
}
