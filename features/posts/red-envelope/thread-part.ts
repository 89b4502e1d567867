import { z } from 'zod'
import type { ThreadPart } from '#base/thread-part.ts'

/** True where a red envelope came with the thread, open or over. Its card differs for each reader and loads by itself. */
export const part = { name: 'redEnvelope', view: z.literal(true) } as const satisfies ThreadPart
