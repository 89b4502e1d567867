import type { Output } from '#base/contract.ts'
import { idIn, type Language, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { helpPage, helpTree, termsOfService } from '#help/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/termsService',
    file: '/features/site/help/web/terms-page.tsx',
    load: async ({ api }) => {
      const [zh, en] = await Promise.all(
        (['zh', 'en'] as const).map((language) => api.read<typeof termsOfService>('/termsService', { language }, { shared: true })),
      )
      return { zh, en }
    },
    head: (_, __, say) => ({ title: say('site.terms'), canonical: '/termsService' }),
    isPublic: true,
  },
  {
    path: '/help',
    file: '/features/site/help/web/help-page.tsx',
    load: ({ api }) => api.read<typeof helpTree>('/help/tree', {}, { shared: true }),
    head: (_, __, say) => ({ title: say('site.help'), canonical: '/help' }),
    isPublic: true,
  },
  {
    path: '/helpDetail',
    file: '/features/site/help/web/help-detail-page.tsx',
    load: helpData,
    head: (page: HelpData, language) => ({
      title: page[language].title[language],
      description: page[language].summary,
      canonical: `/helpDetail?helpId=${page[language].id}`,
    }),
    isPublic: true,
    parameters: ['helpId'],
  },
]

type HelpData = Record<Language, Output<typeof helpPage>>

// In both languages, because the reader can switch in place.
async function helpData({ api, url }: LoaderArgs): Promise<HelpData> {
  const pageId = idIn(url.searchParams, 'helpId')
  if (!pageId) throw new Response('base.missing', { status: 404 })
  const read = (language: Language) => api.read<typeof helpPage>('/help/page', { pageId, language }, { shared: true })
  const [zh, en] = await Promise.all([read('zh'), read('en')])
  return { zh, en }
}
