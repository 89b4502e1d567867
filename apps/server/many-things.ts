import type { AllThings } from '#batch/server/batch.ts'
import * as content from '#content/server/at-once.ts'
import * as member from '#member/server/at-once.ts'
import * as review from '#review/server/at-once.ts'

/** Of what staff can do something to many at once. A feature adds its own by a line. */
export const manyThings: AllThings = { ...content.things, ...member.things, ...review.things }
