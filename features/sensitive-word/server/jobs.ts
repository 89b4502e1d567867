import type { BufferedWriter } from '#base/server/gather.ts'
import { hits } from '#sensitive-word/server/hits.ts'

export const gatherings: BufferedWriter[] = [hits]
