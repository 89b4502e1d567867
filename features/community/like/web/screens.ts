import { idIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { likesOfTopic, myLikes } from '#like/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/likeList',
    file: '/features/community/like/web/like-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof myLikes>('/user/control/likeList', { page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/topicLikeList',
    file: '/features/community/like/web/topic-like-list-page.tsx',
    isInMemberArea: true,
    load: async ({ api, url }) => {
      const topicId = idIn(url.searchParams, 'topicId')
      if (!topicId) throw new Response('base.missing', { status: 404 })
      return api.read<typeof likesOfTopic>('/user/control/topicLikeList', { topicId, page: pageIn(url.searchParams) })
    },
  },
]
