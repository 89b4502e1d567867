import { z } from 'zod'
import { id, page, read } from '#base/contract.ts'

export const DeedView = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  staffId: z.string().nullable(),
  account: z.string(),
  ip: z.string(),
  deed: z.string(),
  about: z.string().nullable(),
  reason: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

export const auditLog = read('/admin/audit/list', {
  does: 'What staff did, newest first.',
  takes: z.object({
    staffId: id.optional(),
    deed: z.string().max(60).optional(),
    about: z.string().max(60).optional(),
    from: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
    page: page.default(1),
  }),
  gives: z.object({ deeds: z.array(DeedView), page: z.number(), hasMore: z.boolean() }),
})
