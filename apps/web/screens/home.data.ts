import type { Output } from '#base/contract.ts'
import { whose, type Head, type Question, type Screen } from '#apps/web/screen.ts'
import type { home as homeCall } from '#user/contract.ts'
import type { wallet } from '#wallet/log-contract.ts'

type Home = Output<typeof homeCall>
export type HomeData = Home & { /** One's own alone. */ wallet: Output<typeof wallet> | null }

async function load({ api, url }: Question): Promise<HomeData> {
  const person = await api.read<typeof homeCall>('/user/control/home', whose(url))
  return { ...person, wallet: person.isMe ? await api.read<typeof wallet>('/user/control/wallet', {}) : null }
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
  file: './screens/home.tsx',
  load,
  head,
  isPublic: true,
  publicWith: 'userId',
  parameters: ['userId'],
}
