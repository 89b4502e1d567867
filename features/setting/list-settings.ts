import { z } from 'zod'

/** Topic lists, and the hot ranking. */
export const listSettings = {
  topicsPerPage: { schema: z.int().min(5).max(100), standard: 30 },
  commentsPerPage: { schema: z.int().min(5).max(100), standard: 30 },
  /** Weights of the hot score: comments, likes, views, and its decay. */
  heatPerComment: { schema: z.number().min(0).max(9999), standard: 20 },
  heatPerLike: { schema: z.number().min(0).max(9999), standard: 10 },
  heatPerView: { schema: z.number().min(0).max(9999), standard: 1 },
  heatGravity: { schema: z.number().min(0.1).max(2), standard: 1.8 },
  /** The minimum number of other members in a hot topic, and the minimum age in the hot score. */
  minHeatPeople: { schema: z.int().min(0).max(20), standard: 3 },
  minHeatHours: { schema: z.number().min(0).max(48), standard: 6 },
  /** Whether lists show an excerpt of topics without a picture. */
  listExcerpts: { schema: z.boolean(), standard: true },
  /** Whether the server fetches the titles of linked pages. Other sites learn its address by that, so staff decide. */
  linkPreviews: { schema: z.boolean(), standard: false },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
