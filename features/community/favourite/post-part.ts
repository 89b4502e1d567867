import { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'

/** Whether the thread is a favourite of the member. */
export const part = { mine: { isFavourite: z.boolean() } } as const satisfies PostPart
