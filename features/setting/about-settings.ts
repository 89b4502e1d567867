import type { z } from 'zod'
import { plain } from '#base/plain-text.ts'

/** What the site says of itself. */
export const aboutSettings = {
  /** What this place is, for whoever comes first; and who runs it, which stands on the page about it. Empty: nothing is said. */
  welcomeZh: { takes: plain.max(300), standard: '这里是一间安静的社区茶馆：适合写长文、认真提问和回答，也可以闲聊。' },
  welcomeEn: {
    takes: plain.max(300),
    standard: 'A quiet community: longer posts, careful questions and answers, and small talk over tea.',
  },
  runByZh: { takes: plain.max(2000), standard: '' },
  runByEn: { takes: plain.max(2000), standard: '' },
} as const satisfies Record<string, { takes: z.ZodType; standard: unknown }>
