import { tell } from '#base/server/live.ts'
import { threadNews } from '#comment/contract.ts'
import * as topics from '#topic/server/topic.ts'

/** What one may listen to: new comments. */
export const news = [
  tell(
    threadNews,
    ({ topicId }) => `topic:${topicId}`,
    async (db, { topicId }) => {
      const topic = await topics.standing(db, topicId)
      return topic && { id: String(topic.floors), says: { floors: topic.floors }, seenBy: topic.seenBy }
    },
  ),
]
