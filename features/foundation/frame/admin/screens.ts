import type { Screen } from '#base/admin/screen.ts'
import type { sectionList, slotList } from '#frame/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/section',
    page: () => import('#frame/admin/sections-page.tsx'),
    title: 'frameAdmin.sections',
    right: 'frame.manage',
    group: 'site',
    aliases: 'menu header navbar tabs order 导航 菜单 顶栏 导航栏 页头',
    load: ({ api }) => api.read<typeof sectionList>('/admin/section/list', {}),
  },
  {
    path: '/admin/slot',
    page: () => import('#frame/admin/slots-page.tsx'),
    title: 'frameAdmin.slots',
    right: 'frame.manage',
    group: 'site',
    aliases:
      'footer header html css code snippet banner ads advertisement advertising analytics theme sidebar 页脚 页头 广告 广告位 代码 统计代码 模板 主题 皮肤 样式 侧栏 横幅',
    load: ({ api }) => api.read<typeof slotList>('/admin/slot/list', {}),
  },
]
