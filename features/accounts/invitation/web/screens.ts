import type { Screen } from '#base/web/screen.ts'
import type { myInvitations } from '#invitation/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/invitations',
    file: '/features/accounts/invitation/web/invitations-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof myInvitations>('/user/control/invitations', {}),
  },
]
