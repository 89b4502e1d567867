import { insertRows, type Db } from '#base/server/database/database.ts'
import { titleWords } from '#post/server/title-words.ts'

/** Replaces the words of a title in the index of similar topics. */
export async function indexTitle(tx: Db, topicId: string, title: string): Promise<void> {
  await tx.deleteFrom('topic_word').where('topic_id', '=', topicId).execute()
  const words = titleWords(title)
  if (words.length === 0) return
  const rows = words.map((word) => ({ word, topic_id: topicId }))
  await insertRows(tx, 'topic_word', rows).execute()
}
