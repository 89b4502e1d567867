import type { z } from 'zod'
import { partErrors, partsInput, partsView } from '#base/thread-part.ts'
import { envelopeFields, giveRefusals } from '#red-envelope/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { byFeature } from '#features/lists/thread-parts.ts'

const threadParts = Object.values(byFeature)

/** The parts that features add to a thread beside its text, by name. */
export const ThreadPartsView = partsView(threadParts)
export type ThreadPartsView = z.infer<typeof ThreadPartsView>

/** The parts that a new thread comes with. The fields of an envelope are those of comments and messages, too. */
export const partFields = { ...envelopeFields, parts: partsInput(threadParts).optional() }
export type ThreadPartsInput = NonNullable<z.output<(typeof partFields)['parts']>>
export const partRefusals = [...giveRefusals, WordsInField, ...partErrors(threadParts)]
