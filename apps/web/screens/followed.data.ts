import { pageIn, memberIn, type Screen } from '#apps/web/screen.ts'
import type { blockList, Followable, followerList, followList } from '#follow/contract.ts'

// Not imported from the contract, which would add it to every reader's download.
const tabs = ['member', 'tag', 'topic'] as const satisfies readonly Followable[]
const pages = '../../features/follow/web'

/** Followed members, tags and topics, followers, and blocked members. */
export const followed: readonly Screen[] = [
  {
    path: '/user/control/followList',
    file: `${pages}/follow-list-page.tsx`,
    load({ api, url }) {
      const of = tabs.find((one) => one === url.searchParams.get('of')) ?? 'member'
      return api.read<typeof followList>('/user/control/followList', { ...memberIn(url), of, page: pageIn(url.searchParams) })
    },
  },
  {
    path: '/user/control/followerList',
    file: `${pages}/follower-list-page.tsx`,
    load: ({ api, url }) =>
      api.read<typeof followerList>('/user/control/followerList', { ...memberIn(url), page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/blockList',
    file: `${pages}/block-list-page.tsx`,
    load: ({ api, url }) => api.read<typeof blockList>('/user/control/blockList', { page: pageIn(url.searchParams) }),
  },
]
