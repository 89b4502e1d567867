import type { userDynamicList } from '#activity/contract.ts'
import { memberIn, type Screen } from '#base/web/screen.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/userDynamicList',
    file: '/features/threads/activity/web/user-dynamic-list-page.tsx',
    isInMemberArea: true,
    load({ api, url }) {
      const before = url.searchParams.get('before')
      return api.read<typeof userDynamicList>('/user/control/userDynamicList', { ...memberIn(url), ...(before && { before }) })
    },
  },
]
