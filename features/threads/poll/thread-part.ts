import { z } from 'zod'
import { refusal } from '#base/contract.ts'
import { plainLine } from '#base/plain-text.ts'
import type { ThreadPart } from '#base/thread-part.ts'

/** When members and visitors see the results: at all times, once they have voted, or once the poll has ended. */
export const resultRules = ['always', 'voted', 'ended'] as const
export type ResultRule = (typeof resultRules)[number]

export const longest = { title: 90, option: 60 } as const
export const fewestOptions = 2
/** The upper bound of the setting `maxPollOptions`, which may import none of ours. */
export const mostOptions = 50

export const TooManyOptions = refusal('poll.tooManyOptions', { field: 'parts.poll.options' })
export const OptionsAlike = refusal('poll.optionsAlike', { field: 'parts.poll.options' })
export const TooManyChoices = refusal('poll.tooManyChoices', { field: 'parts.poll.maxChoices' })
export const EndsTooSoon = refusal('poll.endsTooSoon', { field: 'parts.poll.endsAt' })

export const optionLabel = plainLine.min(1).max(longest.option)

export const PollDraft = z.object({
  title: plainLine.max(longest.title).default(''),
  options: z.array(optionLabel).min(fewestOptions).max(mostOptions),
  /** The most options that one voter may choose. */
  maxChoices: z.int().min(1).max(mostOptions).default(1),
  endsAt: z.iso.datetime({ offset: true }).optional(),
  /** Whether everybody may see who voted for what. */
  isPublic: z.boolean().default(false),
  showsResults: z.enum(resultRules).default('always'),
})
export type PollDraft = z.output<typeof PollDraft>

/** A poll without its results, which differ for each reader and change with each vote: they come by a call and a stream of their own. */
export const PollView = z.object({
  title: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  maxChoices: z.number(),
  endsAt: z.iso.datetime().nullable(),
  isEnded: z.boolean(),
  isPublic: z.boolean(),
  showsResults: z.enum(resultRules),
  /** Incremented when the author changes the options. */
  version: z.number(),
})
export type PollView = z.infer<typeof PollView>

export const part = {
  name: 'poll',
  input: PollDraft,
  view: PollView,
  errors: [TooManyOptions, OptionsAlike, TooManyChoices, EndsTooSoon],
} as const satisfies ThreadPart
