import { pageIn, whose, type Screen } from '#apps/web/screen.ts'
import { followables, type blockList, type followerList, type followList } from '#follow/contract.ts'

const pages = '../../features/follow/web'

/** Whom and what members follow, and whom they would rather not meet. */
export const followed: readonly Screen[] = [
  {
    path: '/user/control/followList',
    file: `${pages}/follow-list-page.tsx`,
    load({ api, url }) {
      const of = followables.find((one) => one === url.searchParams.get('of')) ?? 'member'
      return api.read<typeof followList>('/user/control/followList', { ...whose(url), of, page: pageIn(url.searchParams) })
    },
    head: (_, __, say) => ({ title: say('follow.mine'), isPrivate: true }),
  },
  {
    path: '/user/control/followerList',
    file: `${pages}/follower-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof followerList>('/user/control/followerList', { ...whose(url), page: pageIn(url.searchParams) }),
    head: (_, __, say) => ({ title: say('follow.myFollowers'), isPrivate: true }),
  },
  {
    path: '/user/control/blockList',
    file: `${pages}/block-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof blockList>('/user/control/blockList', { page: pageIn(url.searchParams) }),
    head: (_, __, say) => ({ title: say('follow.blockList'), isPrivate: true }),
  },
]
