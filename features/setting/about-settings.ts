import type { z } from 'zod'
import { plainString } from '#base/plain-text.ts'

/** Site information for visitors. */
export const aboutSettings = {
  /** A short introduction for visitors, and the operator of the site, shown on the about page. Empty: not shown. */
  welcomeZh: { schema: plainString.max(300), standard: '这里是一间安静的社区茶馆：适合写长文、认真提问和回答，也可以闲聊。' },
  welcomeEn: {
    schema: plainString.max(300),
    standard: 'A quiet community: longer posts, careful questions and answers, and small talk over tea.',
  },
  runByZh: { schema: plainString.max(2000), standard: '' },
  runByEn: { schema: plainString.max(2000), standard: '' },
} as const satisfies Record<string, { schema: z.ZodType; standard: unknown }>
