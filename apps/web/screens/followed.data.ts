import { pageIn, whose, type Screen } from '#apps/web/screen.ts'
import type { blockList, Followable, followerList, followList } from '#follow/contract.ts'

// Not the contract's own list, which would bring the contract to every reader.
const tabs = ['member', 'tag', 'topic'] as const satisfies readonly Followable[]
const pages = '../../features/follow/web'

/** Whom and what members follow, and whom they would rather not meet. */
export const followed: readonly Screen[] = [
  {
    path: '/user/control/followList',
    file: `${pages}/follow-list-page.tsx`,
    load({ api, url }) {
      const of = tabs.find((one) => one === url.searchParams.get('of')) ?? 'member'
      return api.read<typeof followList>('/user/control/followList', { ...whose(url), of, page: pageIn(url.searchParams) })
    },
  },
  {
    path: '/user/control/followerList',
    file: `${pages}/follower-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof followerList>('/user/control/followerList', { ...whose(url), page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/blockList',
    file: `${pages}/block-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof blockList>('/user/control/blockList', { page: pageIn(url.searchParams) }),
  },
]
