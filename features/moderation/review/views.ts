import { z } from 'zod'
import { NameView } from '#role/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { SegmentView } from '#writing/contract.ts'

export const RemarkView = z.object({ author: AuthorView, text: z.string(), floor: z.number().nullable(), at: z.iso.datetime() })
export const Present = z.object({ title: z.string().nullable(), segments: z.array(SegmentView) })

/** The author's earlier reviews. */
export const HistoryView = z.object({
  joinedAt: z.iso.datetime(),
  topics: z.number(),
  comments: z.number(),
  replies: z.number(),
  approved: z.number(),
  rejected: z.number(),
  /** The latest reasons of rejection. */
  reasons: z.array(NameView),
})
