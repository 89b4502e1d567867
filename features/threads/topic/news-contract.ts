import { z } from 'zod'
import { id, read } from '#base/contract.ts'
import { threadKinds } from '#kind/contract.ts'

/** The most new topics that an update lists one by one. */
export const maxNews = 20

export const NewTopicView = z.object({
  id: z.string(),
  kind: z.enum(threadKinds),
  place: z.object({ id: z.string(), parent: z.object({ id: z.string() }).nullable() }),
  publishedAt: z.iso.datetime(),
})
export type NewTopicView = z.infer<typeof NewTopicView>

export const topicNews = read('/topic/news', {
  summary:
    'Streams the 20 newest public topics, or those of a tag for viewers with access, as server-sent events: at once and on each change.',
  input: z.object({ tagId: id.optional() }),
  output: z.object({ topics: z.array(NewTopicView) }),
})
