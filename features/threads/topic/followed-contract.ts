import { z } from 'zod'
import { cursor, read } from '#base/contract.ts'
import { TopicCardView } from '#topic/contract.ts'

/** The reasons for which a thread is in the feed. */
export const whys = ['member', 'tag', 'thread'] as const
export type Why = (typeof whys)[number]

export const followedThreads = read('/topic/followed', {
  summary: 'Feed of followed members’ new threads and of followed tags and threads with unread posts, latest activity first.',
  input: z.object({ onlyQuestions: z.boolean().default(false), before: cursor.optional() }),
  output: z.object({
    threads: z.array(z.object({ topic: TopicCardView, why: z.enum(whys), at: z.iso.datetime() })),
    /** The cursor of the next page; null on the last. */
    next: z.string().nullable(),
  }),
})
