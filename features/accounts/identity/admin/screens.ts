import type { Screen } from '#base/admin/screen.ts'
import type { providerList } from '#identity/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/identityProvider',
    page: () => import('#identity/admin/providers-page.tsx'),
    title: 'identityAdmin.providers',
    right: 'identity.manage',
    group: 'site',
    aliases:
      'oauth oidc openid connect sso single sign-on social login google github wechat qq provider 单点登录 微信登录 扫码登录 授权 绑定',
    load: ({ api }) => api.read<typeof providerList>('/admin/identity/provider/list', {}),
  },
]
