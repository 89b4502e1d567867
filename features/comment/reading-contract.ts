import { z } from 'zod'
import { id, nothing, read, write } from '#base/contract.ts'
import { ReadingView } from '#topic/contract.ts'

export const threadNews = read('/comment/news', {
  does: 'Listens for new comments under a topic: an event tells the highest floor, and so does its id, to be sent as Last-Event-ID.',
  takes: z.object({ topicId: id }),
  gives: z.object({ floors: z.number() }),
})

export const timeline = read('/comment/timeline', {
  does: 'When comments under a topic were written: a hundred of them at most, the first and the last among them.',
  takes: z.object({ topicId: id }),
  gives: z.object({ marks: z.array(z.object({ floor: z.number(), at: z.iso.datetime() })) }),
  shared: true,
})

export const freshCounts = read('/comment/fresh', {
  does: 'How I stand to these topics: how many comments others wrote since I was there last, and whether I never was.',
  takes: z.object({ topicIds: z.array(id).max(100).default([]) }),
  gives: z.object({ topics: z.array(ReadingView) }),
})

export const markRead = write('/comment/read', {
  does: 'Keeps how far I have read a topic. It never goes back.',
  takes: z.object({ topicId: id, floor: z.number().int().min(0).max(2_000_000_000) }),
  gives: nothing,
  answeredWhile: 'readOnly',
  whileWaiting: true,
})

export const markAllRead = write('/comment/allRead', {
  does: 'Says that all is read as it stands now: everywhere, or in a tag and the tags below it. Gives until when, which takes it back.',
  takes: z.object({ tagId: id.optional() }),
  gives: z.object({ at: z.iso.datetime() }),
  answeredWhile: 'readOnly',
})

export const undoAllRead = write('/comment/allRead/undo', {
  does: 'Takes that back, if it was not said once more since then.',
  takes: z.object({ tagId: id.optional(), at: z.iso.datetime() }),
  gives: nothing,
  answeredWhile: 'readOnly',
})
