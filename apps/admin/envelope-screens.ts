import type { Screen } from '#apps/admin/screen.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import type { envelopeFigures } from '#red-envelope/figures-contract.ts'
import { staffEnvelopes, staffEnvelopeTotals, type staffEnvelope, type staffShares } from '#red-envelope/staff-contract.ts'

const features = '../../features'

export const envelopeScreens: readonly Screen[] = [
  {
    path: '/admin/redEnvelope',
    file: `${features}/red-envelope/admin/envelopes-page.tsx`,
    title: 'redEnvelopeAdmin.envelopes',
    right: 'redEnvelope.view',
    group: 'members',
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
    file: `${features}/red-envelope/admin/envelope-page.tsx`,
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
    file: `${features}/red-envelope/admin/figures-page.tsx`,
    title: 'redEnvelopeAdmin.figures',
    right: 'redEnvelope.view',
    group: 'members',
    load: ({ api, url }) =>
      api.read<typeof envelopeFigures>('/admin/redEnvelope/figures', { days: Number(url.searchParams.get('days') ?? 30) }),
  },
]
