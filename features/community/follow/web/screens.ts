import { memberIn, pageIn, type Screen } from '#base/web/screen.ts'
import type { blockList, Followable, followerList, followList } from '#follow/contract.ts'

// Not imported from the contract, which would add it to every reader's download.
const tabs = ['member', 'tag', 'topic'] as const satisfies readonly Followable[]

export const screens: readonly Screen[] = [
  {
    path: '/user/control/followList',
    file: '/features/community/follow/web/follow-list-page.tsx',
    isInMemberArea: true,
    load({ api, url }) {
      const of = tabs.find((one) => one === url.searchParams.get('of')) ?? 'member'
      return api.read<typeof followList>('/user/control/followList', { ...memberIn(url), of, page: pageIn(url.searchParams) })
    },
  },
  {
    path: '/user/control/followerList',
    file: '/features/community/follow/web/follower-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) =>
      api.read<typeof followerList>('/user/control/followerList', { ...memberIn(url), page: pageIn(url.searchParams) }),
  },
  {
    path: '/user/control/blockList',
    file: '/features/community/follow/web/block-list-page.tsx',
    isInMemberArea: true,
    load: ({ api, url }) => api.read<typeof blockList>('/user/control/blockList', { page: pageIn(url.searchParams) }),
  },
]
