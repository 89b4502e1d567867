import { listLoader, listQuery } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { envelopeFigures } from '#red-envelope/figures-contract.ts'
import { staffEnvelopes, staffEnvelopeTotals, type staffEnvelope, type staffShares } from '#red-envelope/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/redEnvelope',
    page: () => import('#red-envelope/admin/envelopes-page.tsx'),
    title: 'redEnvelopeAdmin.envelopes',
    right: 'redEnvelope.view',
    group: 'members',
    aliases: 'red packets lucky money hongbao gifts giveaway shares 拼手气 红包 定额 发红包 领取 退回',
    load: async (question) => {
      const [page, totals] = await Promise.all([
        listLoader(staffEnvelopes)(question),
        question.api.read<typeof staffEnvelopeTotals>('/admin/redEnvelope/totals', listQuery(staffEnvelopeTotals, question.url)),
      ])
      return { page, totals }
    },
  },
  {
    path: '/admin/redEnvelope/view',
    page: () => import('#red-envelope/admin/envelope-page.tsx'),
    title: 'redEnvelopeAdmin.envelope',
    titleOf: ({ envelope }: { envelope: { id: string } }) => envelope.id,
    right: 'redEnvelope.view',
    load: async ({ api, url }) => {
      const envelopeId = url.searchParams.get('envelopeId') ?? ''
      const page = Number(url.searchParams.get('page') ?? 1)
      const [envelope, shares] = await Promise.all([
        api.read<typeof staffEnvelope>('/admin/redEnvelope', { envelopeId }),
        api.read<typeof staffShares>('/admin/redEnvelope/shares', { envelopeId, page }),
      ])
      return { envelope, shares }
    },
  },
  {
    path: '/admin/redEnvelope/figures',
    page: () => import('#red-envelope/admin/figures-page.tsx'),
    title: 'redEnvelopeAdmin.figures',
    right: 'redEnvelope.view',
    group: 'members',
    aliases: 'statistics report lucky money red packets gifts per day 统计 报表 红包 发出 领取 退回',
    load: ({ api, url }) =>
      api.read<typeof envelopeFigures>('/admin/redEnvelope/figures', { days: Number(url.searchParams.get('days') ?? 30) }),
  },
]
