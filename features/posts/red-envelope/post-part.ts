import { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'

/** The red envelope of a comment, once it can be opened. */
export const part = { comment: { envelopeId: z.string().nullable() } } as const satisfies PostPart
