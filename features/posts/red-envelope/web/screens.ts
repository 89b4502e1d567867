import { idIn, pageIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { envelope, envelopeForm } from '#red-envelope/contract.ts'
import type { distribution, givenEnvelopes, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import type { ReceivedData } from '#red-envelope/web/received-list-page.tsx'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/giveRedEnvelopeList',
    file: '/features/posts/red-envelope/web/given-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof givenEnvelopes>('/user/control/giveRedEnvelopeList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/redEnvelopeAmountDistributionList',
    file: '/features/posts/red-envelope/web/distribution-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) =>
      api.read<typeof distribution>('/user/control/redEnvelopeAmountDistributionList', {
        envelopeId: envelopeIn(url),
        page: pageIn(url.searchParams),
      }),
  },
  {
    path: '/user/control/receiveRedEnvelopeList',
    file: '/features/posts/red-envelope/web/received-list-page.tsx',
    isInMemberArea: true,
    load: loadReceived,
  },
  {
    path: '/user/control/redEnvelope/add',
    file: '/features/posts/red-envelope/web/add-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof envelopeForm>('/redEnvelope/form', {}),
  },
]

async function loadReceived({ api, url }: LoaderArgs): Promise<ReceivedData> {
  const envelopeId = idIn(url.searchParams, 'envelopeId')
  const [list, one] = await Promise.all([
    api.read<typeof receivedEnvelopes>('/user/control/receiveRedEnvelopeList', { page: pageIn(url.searchParams) }),
    envelopeId ? api.read<typeof envelope>('/redEnvelope', { envelopeId }) : null,
  ])
  return { list, one }
}

function envelopeIn({ searchParams }: URL): string {
  const envelopeId = idIn(searchParams, 'envelopeId')
  if (!envelopeId) throw new Response('base.missing', { status: 404 })
  return envelopeId
}
