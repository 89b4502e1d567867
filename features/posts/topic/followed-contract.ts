import { z } from 'zod'
import { cursor, read } from '#base/contract.ts'
import { TopicCardView } from '#topic/contract.ts'

/** The reasons for which a thread is in the feed. */
export const whys = ['member', 'tag', 'thread'] as const
export type Why = (typeof whys)[number]

export const followedThreads = read('/topic/followed', {
  summary:
    'What is new where I follow, latest first: threads in tags and threads I have not read to the end, by what was last written there, and what members opened.',
  input: z.object({ onlyQuestions: z.boolean().default(false), before: cursor.optional() }),
  output: z.object({
    threads: z.array(z.object({ topic: TopicCardView, why: z.enum(whys), at: z.iso.datetime() })),
    /** The cursor of the next page; null on the last. */
    next: z.string().nullable(),
  }),
})
