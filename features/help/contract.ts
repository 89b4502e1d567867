import { z } from 'zod'
import { read } from '#base/contract.ts'

export const termsOfService = read('/termsService', {
  does: 'The terms of service in one of the two languages.',
  takes: z.object({ language: z.enum(['zh', 'en']) }),
  gives: z.object({ segments: z.array(z.object({ html: z.string() })) }),
  shared: true,
})
