import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, write } from '#base/contract.ts'
import { NotAnotherTopic, NotHereAnyMore, NothingToOpenWith, NotOnThePage, TooMuchToMerge } from '#content/contract.ts'
import { TagNotOpen } from '#tag/contract.ts'
import { title } from '#topic/contract.ts'
import { titleRefusals } from '#writing/contract.ts'

/** The actions on several comments of a topic; each is undone as a whole. */
export const moves = ['topic.split', 'topic.moveComments', 'topic.merge'] as const
export type MoveName = (typeof moves)[number]
export const maxMerged = 20
export const maxMoved = 200
/** The most floors that are moved in one transaction. */
export const maxFloors = 5_000

const reason = plainString.max(300).default('')
const chosen = { topicId: id, commentIds: z.array(id).min(1).max(maxMoved) }

export const splitTopic = write('/admin/topic/split', {
  summary:
    'Splits comments into a new topic: the oldest published one opens it, the others follow with all replies. Can be undone for 30 days.',
  input: z.object({ ...chosen, title, tagId: id, reason }),
  output: z.object({ topicId: z.string(), moved: z.number() }),
  errors: [NotHereAnyMore, NothingToOpenWith, TagNotOpen, ...titleRefusals],
})

export const moveComments = write('/admin/comment/move', {
  summary: 'Moves comments of a topic, with all replies, to the next floors of another topic. Can be undone for 30 days.',
  input: z.object({ ...chosen, to: id, reason }),
  output: z.object({ moved: z.number() }),
  errors: [NotHereAnyMore, NotAnotherTopic, NotOnThePage],
})

export const mergeTopics = write('/admin/topic/merge', {
  summary:
    'Merges topics into another, oldest first; their openings become comments and their addresses redirect. Can be undone for 30 days.',
  input: z.object({ topicIds: z.array(id).min(1).max(maxMerged), to: id, reason }),
  output: z.object({ moved: z.number() }),
  errors: [NotAnotherTopic, NotOnThePage, TooMuchToMerge],
})
