import type { ThreadPart } from '#base/thread-part.ts'
import { envelopePart } from '#red-envelope/thread-part.ts'
import { pollPart } from '#poll/thread-part.ts'

/** The parts of threads that features bring, in the order of features/order.js. */
export const threadParts = [envelopePart, pollPart] as const satisfies readonly ThreadPart[]
