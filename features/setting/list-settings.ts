import { z } from 'zod'

/** Topic lists, and the hot ranking. */
export const listSettings = {
  topicsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  commentsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  /** Weights of the hot score: comments, likes, views, and its decay. */
  heatPerComment: { takes: z.number().min(0).max(9999), standard: 20 },
  heatPerLike: { takes: z.number().min(0).max(9999), standard: 10 },
  heatPerView: { takes: z.number().min(0).max(9999), standard: 1 },
  heatGravity: { takes: z.number().min(0.1).max(2), standard: 1.8 },
  /** The minimum number of other members in a hot topic, and the minimum age in the hot score. */
  heatLeastPeople: { takes: z.int().min(0).max(20), standard: 3 },
  heatLeastHours: { takes: z.number().min(0).max(48), standard: 6 },
  /** Whether lists show an excerpt of topics without a picture. */
  listExcerpts: { takes: z.boolean(), standard: true },
  /** Whether the server fetches the titles of linked pages. Other sites learn its address by that, so staff decide. */
  linkPreviews: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
