import { z } from 'zod'

/** What goes for lists, and for which topics are hot. */
export const listSettings = {
  topicsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  commentsPerPage: { takes: z.int().min(5).max(100), standard: 30 },
  /** Weights of the hot list: comments, likes, views, and how fast heat fades. */
  heatPerComment: { takes: z.number().min(0).max(9999), standard: 20 },
  heatPerLike: { takes: z.number().min(0).max(9999), standard: 10 },
  heatPerView: { takes: z.number().min(0).max(9999), standard: 1 },
  heatGravity: { takes: z.number().min(0.1).max(2), standard: 1.8 },
  /** How many members other than its author must have written in a topic for it to be hot, and how old it counts as at the least. */
  heatLeastPeople: { takes: z.int().min(0).max(20), standard: 3 },
  heatLeastHours: { takes: z.number().min(0).max(48), standard: 6 },
  /** Whether lists show a line of what a topic says, where it has no picture. */
  listExcerpts: { takes: z.boolean(), standard: true },
  /** Whether this server asks other sites what their pages are called. They learn its address then, so staff decide. */
  linkPreviews: { takes: z.boolean(), standard: false },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
