import type { Output } from '#base/contract.ts'
import { memberIn, type Head, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { best as bestCall, BestView, userDynamicList, WrittenView } from '#activity/contract.ts'
import type { followOfMember } from '#follow/contract.ts'
import type { home as homeCall } from '#user/contract.ts'
import type { wallet } from '#wallet/log-contract.ts'

type Home = Output<typeof homeCall>
export type HomeData = Home & {
  /** Only for the member. */ wallet: Output<typeof wallet> | null
  relation: Output<typeof followOfMember>
  latest: WrittenView[]
  best: BestView[]
}

const minPosts = 6

async function load({ api, url }: LoaderArgs): Promise<HomeData> {
  const person = await api.read<typeof homeCall>('/user/control/home', memberIn(url))
  const userId = person.user.id
  const isShown = person.isMe || person.showsActivity
  const [purse, relation, activity, best] = await Promise.all([
    person.isMe ? api.read<typeof wallet>('/user/control/wallet', {}) : null,
    api.read<typeof followOfMember>('/follow/member', { userId }),
    isShown ? api.read<typeof userDynamicList>('/user/control/userDynamicList', { userId }) : null,
    isShown ? api.read<typeof bestCall>('/user/control/best', { userId }) : null,
  ])
  return { ...person, wallet: purse, relation, latest: activity?.posts.slice(0, minPosts) ?? [], best: best?.posts ?? [] }
}

function head({ user, showsActivity }: HomeData): Head {
  return {
    title: user.name,
    kind: 'profile',
    canonical: `/user/control/home?userId=${user.id}`,
    ...(showsActivity && !user.isDeactivated ? { feed: `/feed?userId=${user.id}` } : { isPrivate: true }),
  }
}

export const home: Screen = {
  path: '/user/control/home',
  file: '/apps/web/screens/home.tsx',
  isInMemberArea: true,
  load,
  head,
  isPublic: true,
  publicWith: 'userId',
  parameters: ['userId'],
}
