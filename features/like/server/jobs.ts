import type { Gathering } from '#base/server/gather.ts'
import { likeCounts } from '#like/server/counts.ts'

export const gatherings: Gathering[] = [likeCounts]
