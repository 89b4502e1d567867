import type { Screen } from '#base/web/screen.ts'
import type { leaving } from '#leaving/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/leave',
    file: '/features/site/leaving/web/leave-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof leaving>('/user/control/leave', {}),
  },
]
