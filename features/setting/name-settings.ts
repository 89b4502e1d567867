import { z } from 'zod'

const days = z.int().min(0).max(3_650)

/** How members change what they are called. */
export const nameSettings = {
  /** How long a nickname is kept before it may be changed again. 0: as often as one likes. */
  nicknameEveryDays: { takes: days, standard: 30 },
  /** For how long nobody else gets a nickname that somebody gave up. */
  formerNameHeldDays: { takes: days, standard: 90 },
  /** For how long a page says what a member was called before. 0: not at all. */
  formerNameShownDays: { takes: days, standard: 30 },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
