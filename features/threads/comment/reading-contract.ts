import { z } from 'zod'
import { id, nothing, read, write } from '#base/contract.ts'
import { ReadingView } from '#topic/contract.ts'

export const threadNews = read('/comment/news', {
  summary:
    'Streams new comments on a topic as server-sent events. Each event and its id carry the highest floor; resumes by Last-Event-ID.',
  input: z.object({ topicId: id }),
  output: z.object({ floors: z.number() }),
})

export const timeline = read('/comment/timeline', {
  summary: 'Publication times of comments on a topic: at most 100, always with the first and the last.',
  input: z.object({ topicId: id }),
  output: z.object({ marks: z.array(z.object({ floor: z.number(), at: z.iso.datetime() })) }),
  shared: true,
})

export const freshCounts = read('/comment/fresh', {
  summary: 'Reading state of the given topics: the number of new comments by others since the last visit, or never visited.',
  input: z.object({ topicIds: z.array(id).max(100).default([]) }),
  output: z.object({ topics: z.array(ReadingView) }),
})

export const markRead = write('/comment/read', {
  summary: 'Saves the member’s reading position in a topic. It never moves backwards.',
  input: z.object({ topicId: id, floor: z.number().int().min(0).max(2_000_000_000) }),
  output: nothing,
  availableWhile: 'readOnly',
  allowedWhilePending: true,
})

export const markAllRead = write('/comment/allRead', {
  summary: 'Marks all threads as read, everywhere or in a tag with its subtags. The returned time can be used to undo it.',
  input: z.object({ tagId: id.optional() }),
  output: z.object({ at: z.iso.datetime() }),
  availableWhile: 'readOnly',
})

export const undoAllRead = write('/comment/allRead/undo', {
  summary: 'Undoes marking all as read, unless it was repeated since.',
  input: z.object({ tagId: id.optional(), at: z.iso.datetime() }),
  output: nothing,
  availableWhile: 'readOnly',
})
