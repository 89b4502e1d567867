import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { hits } from '#sensitive-word/server/hits.ts'

export const bufferedWriters: BufferedWriter[] = [hits]
