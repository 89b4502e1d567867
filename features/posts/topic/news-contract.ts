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
    'Tells the twenty newest topics that everybody may read, of all tags or of one, now and whenever there is another. A stream of server-sent events. Of a tag that only some may look into, it tells them alone.',
  input: z.object({ tagId: id.optional() }),
  output: z.object({ topics: z.array(NewTopicView) }),
})
