import type { Db } from '#base/server/database.ts'
import type { Comment, Reply } from '#comment/server/find.ts'
import type { PostView } from '#notice/contract.ts'
import type * as topics from '#topic/server/topic.ts'

/** A comment as its author is told of it. */
export async function postOfComment(tx: Db, topic: topics.Topic, { id }: Pick<Comment, 'id'>): Promise<PostView> {
  return { kind: 'comment', id, topicId: topic.id, commentId: id, title: topic.title, excerpt: await textOf(tx, 'comment', id) }
}

export async function postOfReply(tx: Db, topic: topics.Topic, { id, commentId }: Pick<Reply, 'id' | 'commentId'>): Promise<PostView> {
  return { kind: 'reply', id, topicId: topic.id, commentId, title: topic.title, excerpt: await textOf(tx, 'reply', id) }
}

async function textOf(tx: Db, table: 'comment' | 'reply', id: string): Promise<string> {
  return (await tx.selectFrom(table).select('text').where('id', '=', id).executeTakeFirstOrThrow()).text
}
