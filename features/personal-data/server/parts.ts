import type { Part } from '#personal-data/server/part.ts'
import { partsOfDeeds } from '#personal-data/server/parts-of-deeds.ts'
import { partsOfPosts } from '#personal-data/server/parts-of-posts.ts'
import { partsOfSelf } from '#personal-data/server/parts-of-self.ts'

/** All that is written down for a member, in the order of the archive. */
export const parts: readonly Part[] = [...partsOfSelf, ...partsOfPosts, ...partsOfDeeds]
