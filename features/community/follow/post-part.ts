import { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'

/** The notification levels of a thread or a tag: every new post; the number of new posts; mentions and replies only; none. */
const level = z.enum(['watching', 'tracking', 'normal', 'muted'])

/** The member's level for the thread, and whether they follow its author. */
export const part = { mine: { follows: z.object({ level, author: z.boolean() }) } } as const satisfies PostPart
