import type { Output } from '#base/contract.ts'
import { idIn, pageIn, type Language, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { membershipCard, membershipCardList, membershipCardOrderList } from '#membership/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/membershipCardOrderList',
    file: '/features/commerce/membership/web/order-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) =>
      api.read<typeof membershipCardOrderList>('/user/control/membershipCardOrderList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/membershipCardList',
    file: '/features/commerce/membership/web/card-list-page.tsx',
    load: ({ api }) => api.read<typeof membershipCardList>('/membershipCard/list', {}, { shared: true }),
    head: (_, __, say) => ({ title: say('membership.title'), description: say('membership.what'), canonical: '/membershipCardList' }),
    isPublic: true,
    isRare: true,
  },
  {
    path: '/membershipCard',
    file: '/features/commerce/membership/web/card-page.tsx',
    load: loadCard,
    head: (data: CardData, language) => {
      const { id, name, subtitle, summary } = data[language]
      return { title: name[language], description: subtitle[language] || summary, canonical: `/membershipCard?membershipCardId=${id}` }
    },
    isPublic: true,
    isRare: true,
    // The chosen option is in the query, so that it survives a login.
    parameters: ['membershipCardId', 'specificationId'],
  },
]

type CardData = Record<Language, Output<typeof membershipCard>>

// In both languages, because the reader can switch in place.
async function loadCard({ api, url }: LoaderArgs): Promise<CardData> {
  const membershipCardId = idIn(url.searchParams, 'membershipCardId')
  if (!membershipCardId) throw new Response('base.missing', { status: 404 })
  const read = (language: Language) => api.read<typeof membershipCard>('/membershipCard', { membershipCardId, language }, { shared: true })
  const [zh, en] = await Promise.all([read('zh'), read('en')])
  return { zh, en }
}
