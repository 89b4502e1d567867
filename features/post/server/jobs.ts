import type { BufferedWriter } from '#base/server/gather.ts'
import { tallies } from '#post/server/tally.ts'

export const gatherings: BufferedWriter[] = [tallies]
