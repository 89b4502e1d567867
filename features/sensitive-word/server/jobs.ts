import type { Gathering } from '#base/server/gather.ts'
import { hits } from '#sensitive-word/server/hits.ts'

export const gatherings: Gathering[] = [hits]
