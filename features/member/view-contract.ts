import { z } from 'zod'

const when = z.iso.datetime()

export const LoginView = z.object({
  id: z.string(),
  at: when,
  kind: z.enum(['login', 'renewal']),
  ip: z.string(),
  region: z.string().nullable(),
})

export const BanView = z.object({
  id: z.string(),
  from: z.string(),
  reason: z.string(),
  givenAt: when,
  givenBy: z.string(),
  endsAt: when.nullable(),
  liftedAt: when.nullable(),
  liftedBy: z.string().nullable(),
  isRunning: z.boolean(),
})
