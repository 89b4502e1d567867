import type { Screen } from '#base/web/screen.ts'
import type { realName } from '#real-name/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/realNameAuthentication',
    file: '/features/accounts/real-name/web/real-name-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof realName>('/user/control/realNameAuthentication', {}),
  },
]
