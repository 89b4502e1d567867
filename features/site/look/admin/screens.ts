import type { Screen } from '#base/admin/screen.ts'
import type { listLook } from '#look/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/look',
    page: () => import('#look/admin/look-page.tsx'),
    title: 'lookAdmin.look',
    right: 'setting.view',
    group: 'site',
    aliases: 'favicon brand branding image header touch icon apple icon picture 徽标 标志 商标 网站图标 站点图标 品牌 图片',
    load: ({ api }) => api.read<typeof listLook>('/admin/look/list', {}),
  },
]
