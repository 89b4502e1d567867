import type { Screen } from '#base/admin/screen.ts'
import type { linkList } from '#link/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/link',
    page: () => import('#link/admin/links-page.tsx'),
    title: 'linkAdmin.links',
    right: 'link.manage',
    group: 'site',
    aliases: 'friend links blogroll partners footer 友链 合作伙伴 页脚 底部 链接交换',
    load: ({ api }) => api.read<typeof linkList>('/admin/link/list', {}),
  },
]
