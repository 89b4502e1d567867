import type { Screen } from '#base/web/screen.ts'
import type { signInMethods } from '#identity/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/user/control/signInMethods',
    file: '/features/accounts/identity/web/sign-in-methods-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof signInMethods>('/user/control/signInMethods', {}),
  },
]
