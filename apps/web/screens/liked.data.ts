import { idIn, pageIn, type Screen } from '#apps/web/screen.ts'
import type { likesOfTopic, myLikes } from '#like/contract.ts'

const features = '../../features'

/** What one likes, and who likes what one opened. */
export const liked: readonly Screen[] = [
  {
    path: '/user/control/likeList',
    file: `${features}/like/web/like-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof myLikes>('/user/control/likeList', { page: pageIn(url.searchParams) }),
    head: (_, __, say) => ({ title: say('like.mine'), isPrivate: true }),
  },
  {
    path: '/user/control/topicLikeList',
    file: `${features}/like/web/topic-like-list-page.tsx`,
    load: async ({ api, url }) => {
      const topicId = idIn(url.searchParams, 'topicId')
      if (!topicId) throw new Response('base.missing', { status: 404 })
      return api.read<typeof likesOfTopic>('/user/control/topicLikeList', { topicId, page: pageIn(url.searchParams) })
    },
    head: (_, __, say) => ({ title: say('like.whoLikes'), isPrivate: true }),
  },
]
