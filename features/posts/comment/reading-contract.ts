import { z } from 'zod'
import { id, nothing, read, write } from '#base/contract.ts'
import { ReadingView } from '#topic/contract.ts'

export const threadNews = read('/comment/news', {
  summary: 'Listens for new comments under a topic: an event tells the highest floor, and so does its id, to be sent as Last-Event-ID.',
  input: z.object({ topicId: id }),
  output: z.object({ floors: z.number() }),
})

export const timeline = read('/comment/timeline', {
  summary: 'When comments under a topic were written: a hundred of them at most, the first and the last among them.',
  input: z.object({ topicId: id }),
  output: z.object({ marks: z.array(z.object({ floor: z.number(), at: z.iso.datetime() })) }),
  shared: true,
})

export const freshCounts = read('/comment/fresh', {
  summary: 'How I stand to these topics: how many comments others wrote since I was there last, and whether I never was.',
  input: z.object({ topicIds: z.array(id).max(100).default([]) }),
  output: z.object({ topics: z.array(ReadingView) }),
})

export const markRead = write('/comment/read', {
  summary: 'Keeps how far I have read a topic. It never goes back.',
  input: z.object({ topicId: id, floor: z.number().int().min(0).max(2_000_000_000) }),
  output: nothing,
  availableWhile: 'readOnly',
  allowedWhilePending: true,
})

export const markAllRead = write('/comment/allRead', {
  summary: 'Says that all is read as it stands now: everywhere, or in a tag and the tags below it. Gives until when, which takes it back.',
  input: z.object({ tagId: id.optional() }),
  output: z.object({ at: z.iso.datetime() }),
  availableWhile: 'readOnly',
})

export const undoAllRead = write('/comment/allRead/undo', {
  summary: 'Takes that back, if it was not said once more since then.',
  input: z.object({ tagId: id.optional(), at: z.iso.datetime() }),
  output: nothing,
  availableWhile: 'readOnly',
})
