import type { security as securityCall } from '#account-security/contract.ts'
import type { sessions } from '#account/contract.ts'
import type { myHint } from '#account/recover-contract.ts'
import type { LoaderArgs, Screen } from '#apps/web/screen.ts'
import type { tokens } from '#assistant/token-contract.ts'
import type { signInMethods } from '#identity/contract.ts'
import type { realName } from '#real-name/contract.ts'

const features = '../../features'

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

const loadSecurity = ({ api }: LoaderArgs) => api.read<typeof securityCall>('/user/control/security', {})
const methods = ({ api }: LoaderArgs) => api.read<typeof signInMethods>('/user/control/signInMethods', {})

/** Account security: an overview, and a page for each part. */
export const security: readonly Screen[] = [
  { path: '/user/control/security', file: './screens/security.tsx', load: overview },
  { path: '/user/control/password', file: './screens/password.tsx', load: methods },
  { path: '/user/control/signInMethods', file: `${features}/identity/web/sign-in-methods-page.tsx`, load: methods },
  { path: '/user/control/passkeys', file: `${features}/account-security/web/passkeys-page.tsx`, load: loadSecurity },
  { path: '/user/control/secondFactor', file: `${features}/account-security/web/second-factor-page.tsx`, load: loadSecurity },
  {
    path: '/user/control/realNameAuthentication',
    file: `${features}/real-name/web/real-name-page.tsx`,
    load: ({ api }) => api.read<typeof realName>('/user/control/realNameAuthentication', {}),
  },
  {
    path: '/user/control/tokens',
    file: `${features}/assistant/web/tokens-page.tsx`,
    load: ({ api }) => api.read<typeof tokens>('/user/control/token/list', {}),
  },
  {
    path: '/user/control/hintQuestion',
    file: `${features}/account/web/hint-page.tsx`,
    load: ({ api }) => api.read<typeof myHint>('/user/control/hintQuestion', {}),
  },
]
