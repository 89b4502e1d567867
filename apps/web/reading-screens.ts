import type { Output } from '#base/contract.ts'
import { idIn, type Language, type LoaderArgs, type Screen } from '#apps/web/screen.ts'
import { askList } from '#apps/web/screens/ask-list.data.ts'
import { index } from '#apps/web/screens/index.data.ts'
import { question } from '#apps/web/screens/question.data.ts'
import { search } from '#apps/web/screens/search.data.ts'
import { thread } from '#apps/web/screens/thread.data.ts'
import type { helpPage, helpTree, termsOfService } from '#help/contract.ts'

const help = '../../features/help/web'

/** The screens that visitors come for. The browser has their metadata from the start, and only the path of all others. */
export const readingScreens: readonly Screen[] = [
  index,
  thread,
  askList,
  question,
  search,
  {
    path: '/termsService',
    file: `${help}/terms-page.tsx`,
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
    file: `${help}/help-page.tsx`,
    load: ({ api }) => api.read<typeof helpTree>('/help/tree', {}, { shared: true }),
    head: (_, __, say) => ({ title: say('site.help'), canonical: '/help' }),
    isPublic: true,
  },
  {
    path: '/helpDetail',
    file: `${help}/help-detail-page.tsx`,
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
