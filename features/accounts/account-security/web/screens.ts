import type { security } from '#account-security/contract.ts'
import type { LoaderArgs, Screen } from '#base/web/screen.ts'

export const screens: readonly Screen[] = [
  { path: '/user/control/passkeys', file: '/features/accounts/account-security/web/passkeys-page.tsx', isInMemberArea: true, load },
  {
    path: '/user/control/secondFactor',
    file: '/features/accounts/account-security/web/second-factor-page.tsx',
    isInMemberArea: true,
    load,
  },
]

function load({ api }: LoaderArgs) {
  return api.read<typeof security>('/user/control/security', {})
}
