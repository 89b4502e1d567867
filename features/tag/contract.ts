import { z } from 'zod'
import { nothing, read, refusal } from '#base/contract.ts'
import { NameView } from '#role/contract.ts'

/** The tag does not exist, has tags of its own below it, or is not one this member may publish in. */
export const TagNotOpen = refusal('tag.notOpen', { field: 'tagId' })

const TagView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  topicCount: z.number(),
  isRestricted: z.boolean(),
  /** The roles that may look here, where not everybody may. */
  viewers: z.array(NameView),
})

/** Where a topic belongs. */
export const PlaceView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  isRestricted: z.boolean(),
  parent: z.object({ id: z.string(), key: z.string(), name: NameView }).nullable(),
})
export type PlaceView = z.infer<typeof PlaceView>

export const listTags = read('/tag/list', {
  does: 'The tags this viewer may look into, on two levels, with how many topics each holds.',
  takes: nothing,
  gives: z.object({ tags: z.array(TagView.extend({ children: z.array(TagView) })) }),
  shared: true,
})

export const myTags = read('/tag/mine', {
  does: 'The ids of the tags I may publish topics in.',
  takes: nothing,
  gives: z.object({ publishIn: z.array(z.string()) }),
})
