import { z } from 'zod'

const days = z.int().min(0).max(3_650)

/** Changes of nicknames. */
export const nameSettings = {
  /** Minimum time between two changes of a nickname. 0: none. */
  nicknameChangeIntervalDays: { schema: days, standard: 30 },
  /** How long a former nickname stays reserved. */
  formerNameHeldDays: { schema: days, standard: 90 },
  /** How long a profile shows the former nickname. 0: not at all. */
  formerNameShownDays: { schema: days, standard: 30 },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
