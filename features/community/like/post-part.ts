import { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'

const ids = z.array(z.string())

/** The number of likes of each post, and the posts that the member likes. */
export const part = {
  comment: { likeCount: z.number() },
  reply: { likeCount: z.number() },
  mine: { liked: z.object({ topic: ids, comment: ids, reply: ids }) },
} as const satisfies PostPart
