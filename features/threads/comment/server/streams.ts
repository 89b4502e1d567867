import { publishStream } from '#base/server/live/live.ts'
import { threadNews } from '#comment/reading-contract.ts'
import * as posts from '#post/server/post.ts'

/** The stream of new comments. */
export const streams = [
  publishStream(
    threadNews,
    ({ topicId }) => `topic:${topicId}`,
    async (db, { topicId }) => {
      const topic = await posts.publicStateOf(db, topicId)
      return topic && { id: String(topic.floors), data: { floors: topic.floors }, seenBy: topic.seenBy }
    },
  ),
]
