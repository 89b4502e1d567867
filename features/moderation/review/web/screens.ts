import type { Screen } from '#base/web/screen.ts'
import type { ownWaiting } from '#review/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/waitingList',
    file: '/features/moderation/review/web/waiting-list-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof ownWaiting>('/user/control/waitingList', {}),
  },
]
