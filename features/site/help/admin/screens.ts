import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import type { helpList, helpSource, termsList } from '#help/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/help',
    page: () => import('#help/admin/help-page.tsx'),
    title: 'helpAdmin.help',
    right: 'help.manage',
    group: 'site',
    aliases: 'faq guide pages rules about 帮助 常见问题 版规 站规 关于 单页 指南',
    load: ({ api }) => api.read<typeof helpList>('/admin/help/list', {}),
  },
  {
    path: '/admin/help/edit',
    page: () => import('#help/admin/edit-help-page.tsx'),
    title: 'helpAdmin.editPage',
    titleOf: ({ page }: { page: Output<typeof helpSource> | null }) => page?.titleZh,
    right: 'help.manage',
    load: async ({ api, url }) => {
      const pageId = url.searchParams.get('pageId')
      const [page, { categories }] = await Promise.all([
        pageId ? api.read<typeof helpSource>('/admin/help/view', { pageId }) : null,
        api.read<typeof helpList>('/admin/help/list', {}),
      ])
      return { page, categories }
    },
  },
  {
    path: '/admin/terms',
    page: () => import('#help/admin/terms-page.tsx'),
    title: 'helpAdmin.terms',
    right: 'help.manage',
    group: 'site',
    aliases: 'tos terms privacy policy agreement legal licence license 协议 用户协议 隐私 隐私政策 法律 许可',
    load: ({ api }) => api.read<typeof termsList>('/admin/terms/list', {}),
  },
]
