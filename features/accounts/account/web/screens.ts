import type { sessions } from '#account/contract.ts'
import type { loginLog } from '#account/login-contract.ts'
import type { myHint, recoverForm } from '#account/recover-contract.ts'
import { pageIn, type LoaderArgs, type Screen } from '#base/web/screen.ts'

export const screens: readonly Screen[] = [
  {
    path: '/findPassWord/step1',
    file: '/features/accounts/account/web/recover-page.tsx',
    load: ({ api }) => api.read<typeof recoverForm>('/findPassWord/step1', {}),
    head: (_, __, say) => ({ title: say('account.recoverTitle'), isPrivate: true }),
  },
  {
    path: '/findPassWord/step2',
    file: '/features/accounts/account/web/new-password-page.tsx',
    head: (_, __, say) => ({ title: say('account.newPasswordTitle'), isPrivate: true }),
  },
  {
    path: '/takeBack',
    file: '/features/accounts/account/web/take-back-page.tsx',
    head: (_, __, say) => ({ title: say('account.takeBackTitle'), isPrivate: true }),
  },
  {
    path: '/user/control/userLoginLogList',
    file: '/features/accounts/account/web/login-log-page.tsx',
    isInMemberArea: true,
    load: loginLogData,
  },
  {
    path: '/user/control/hintQuestion',
    file: '/features/accounts/account/web/hint-page.tsx',
    isInMemberArea: true,
    load: ({ api }) => api.read<typeof myHint>('/user/control/hintQuestion', {}),
  },
]

async function loginLogData({ api, url }: LoaderArgs) {
  const kind = (['login', 'renewal', 'reused'] as const).find((one) => one === url.searchParams.get('kind'))
  const [log, devices] = await Promise.all([
    api.read<typeof loginLog>('/user/control/userLoginLogList', { page: pageIn(url.searchParams), ...(kind && { kind }) }),
    api.read<typeof sessions>('/user/control/sessions', {}),
  ])
  return { log, devices }
}
