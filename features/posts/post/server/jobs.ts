import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { tallies } from '#post/server/tally.ts'

export const bufferedWriters: BufferedWriter[] = [tallies]
