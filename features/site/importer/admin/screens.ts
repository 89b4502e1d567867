import type { Screen } from '#base/admin/screen.ts'
import type { importList } from '#importer/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/import',
    page: () => import('#importer/admin/imports-page.tsx'),
    title: 'importerAdmin.imports',
    right: 'site.maintain',
    group: 'upkeep',
    aliases: 'import migrate migration convert converter phpbb discuz nodebb flarum discourse 导入 迁移 搬家 转换 数据导入',
    load: ({ api }) => api.read<typeof importList>('/admin/import/list', {}),
  },
]
