import type { z } from 'zod'
import { plain } from '#base/plain-text.ts'

/** Site information for visitors. */
export const aboutSettings = {
  /** A short introduction for visitors, and the operator of the site, shown on the about page. Empty: not shown. */
  welcomeZh: { schema: plain.max(300), standard: '这里是一间安静的社区茶馆：适合写长文、认真提问和回答，也可以闲聊。' },
  welcomeEn: {
    schema: plain.max(300),
    standard: 'A quiet community: longer posts, careful questions and answers, and small talk over tea.',
  },
  runByZh: { schema: plain.max(2000), standard: '' },
  runByEn: { schema: plain.max(2000), standard: '' },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
