import type { security as securityCall } from '#account-security/contract.ts'
import type { sessions } from '#account/contract.ts'
import type { LoaderArgs, Screen } from '#base/web/screen.ts'
import type { signInMethods } from '#identity/contract.ts'
import type { tokens } from '#mcp/contract.ts'
import type { realName } from '#real-name/contract.ts'

export type SecurityData = Awaited<ReturnType<typeof overview>>

async function overview({ api }: LoaderArgs) {
  const [safety, methods, devices, identity, programs] = await Promise.all([
    api.read<typeof securityCall>('/user/control/security', {}),
    api.read<typeof signInMethods>('/user/control/signInMethods', {}),
    api.read<typeof sessions>('/user/control/sessions', {}),
    api.read<typeof realName>('/user/control/realNameAuthentication', {}),
    api.read<typeof tokens>('/user/control/token/list', {}),
  ])
  return { safety, methods, devices: devices.sessions.length, identity, tokens: programs.tokens.filter((one) => !one.isExpired).length }
}

/** Account security: an overview, and the password. */
export const security: readonly Screen[] = [
  { path: '/user/control/security', file: '/apps/web/screens/security.tsx', isInMemberArea: true, load: overview },
  {
    path: '/user/control/password',
    file: '/apps/web/screens/password.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof signInMethods>('/user/control/signInMethods', {}),
  },
]
