import { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'

/** The origin of the AI label of a post: declared by its author, or set by staff. */
const label = z.enum(['author', 'staff'])
/** Null for posts without a label, and on sites that do not label posts. */
const aiLabel = label.nullable()

export const part = { comment: { aiLabel }, reply: { aiLabel } } as const satisfies PostPart
