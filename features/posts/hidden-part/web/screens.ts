import { pageIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'
import type { myUnlocks, unlocksOfMine } from '#hidden-part/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/topicUnhideList',
    file: '/features/posts/hidden-part/web/unlock-list-page.tsx',
    isInMemberArea: true,
    load: unlockData,
  },
]

async function unlockData({ api, url }: LoaderArgs) {
  const page = pageIn(url.searchParams)
  if (url.searchParams.get('view') === 'unlocked')
    return { ofMine: null, byMe: await api.read<typeof myUnlocks>('/user/control/topicUnlockedList', { page }) }
  return { ofMine: await api.read<typeof unlocksOfMine>('/user/control/topicUnhideList', { page }), byMe: null }
}
