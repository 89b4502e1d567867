import { idIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { favouriteList, keepers } from '#favourite/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/favoriteList',
    file: '/features/community/favourite/web/favourite-list-page.tsx',
    isInMemberArea: true,
    load({ api, url: { searchParams: query } }) {
      const [userId, folderId] = ['userId', 'folderId'].map((name) => idIn(query, name))
      const asked = { page: pageIn(query), ...(userId && { userId }), ...(folderId && { folderId }) }
      return api.read<typeof favouriteList>('/user/control/favoriteList', asked)
    },
  },
  ...(['topic', 'question'] as const).map((kind): Screen => ({
    path: `/user/control/${kind}FavoriteList`,
    file: '/features/community/favourite/web/keeper-list-page.tsx',
    isInMemberArea: true,
    load({ api, url: { searchParams: query } }) {
      const topicId = idIn(query, `${kind}Id`)
      if (!topicId) throw new Response('base.missing', { status: 404 })
      return api.read<typeof keepers>('/user/control/topicFavoriteList', { topicId, page: pageIn(query) })
    },
  })),
]
