import type { Output } from '#base/contract.ts'
import { idIn, type Language, type Question, type Screen } from '#apps/web/screen.ts'
import type { membershipCard, membershipCardList } from '#membership/contract.ts'

const features = '../../features'

/** The cards on sale, and each of them with its options. */
export const memberships: readonly Screen[] = [
  {
    path: '/membershipCardList',
    file: `${features}/membership/web/card-list-page.tsx`,
    load: ({ api }) => api.read<typeof membershipCardList>('/membershipCard/list', {}, { shared: true }),
    head: (_, __, say) => ({ title: say('membership.title'), description: say('membership.what'), canonical: '/membershipCardList' }),
    isPublic: true,
    isRare: true,
  },
  {
    path: '/membershipCard',
    file: `${features}/membership/web/card-page.tsx`,
    load: loadCard,
    head: (data: CardData, language) => {
      const { id, name, subtitle, summary } = data[language]
      return { title: name[language], description: subtitle[language] || summary, canonical: `/membershipCard?membershipCardId=${id}` }
    },
    isPublic: true,
    isRare: true,
    // The option that is chosen stands in the address, so that it is chosen still after signing in.
    parameters: ['membershipCardId', 'specificationId'],
  },
]

type CardData = Record<Language, Output<typeof membershipCard>>

// In both languages, for one may turn to the other in place.
async function loadCard({ api, url }: Question): Promise<CardData> {
  const membershipCardId = idIn(url.searchParams, 'membershipCardId')
  if (!membershipCardId) throw new Response('base.missing', { status: 404 })
  const read = (language: Language) => api.read<typeof membershipCard>('/membershipCard', { membershipCardId, language }, { shared: true })
  const [zh, en] = await Promise.all([read('zh'), read('en')])
  return { zh, en }
}
