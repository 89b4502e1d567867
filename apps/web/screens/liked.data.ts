import { idIn, pageIn, type Screen } from '#apps/web/screen.ts'
import type { favouriteList, keepers } from '#favourite/contract.ts'
import type { likesOfTopic, myLikes } from '#like/contract.ts'

const features = '../../features'

/** A member's likes and favourites, and the members who liked a post. */
export const liked: readonly Screen[] = [
  {
    path: '/user/control/likeList',
    file: `${features}/like/web/like-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof myLikes>('/user/control/likeList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/topicLikeList',
    file: `${features}/like/web/topic-like-list-page.tsx`,
    load: async ({ api, url }) => {
      const topicId = idIn(url.searchParams, 'topicId')
      if (!topicId) throw new Response('base.missing', { status: 404 })
      return api.read<typeof likesOfTopic>('/user/control/topicLikeList', { topicId, page: pageIn(url.searchParams) })
    },
  },
  {
    path: '/user/control/favoriteList',
    file: `${features}/favourite/web/favourite-list-page.tsx`,
    load({ api, url: { searchParams: query } }) {
      const [userId, folderId] = ['userId', 'folderId'].map((name) => idIn(query, name))
      const asked = { page: pageIn(query), ...(userId && { userId }), ...(folderId && { folderId }) }
      return api.read<typeof favouriteList>('/user/control/favoriteList', asked)
    },
  },
  ...(['topic', 'question'] as const).map((kind): Screen => ({
    path: `/user/control/${kind}FavoriteList`,
    file: `${features}/favourite/web/keeper-list-page.tsx`,
    load({ api, url: { searchParams: query } }) {
      const topicId = idIn(query, `${kind}Id`)
      if (!topicId) throw new Response('base.missing', { status: 404 })
      return api.read<typeof keepers>('/user/control/topicFavoriteList', { topicId, page: pageIn(query) })
    },
  })),
]
