import type { Gathering } from '#base/server/gather.ts'
import { tallies } from '#post/server/tally.ts'

export const gatherings: Gathering[] = [tallies]
