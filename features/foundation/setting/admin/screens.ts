import type { Screen } from '#base/admin/screen.ts'
import { findSettings } from '#setting/admin/find-settings.ts'
import type { listSettings } from '#setting/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/setting',
    page: () => import('#setting/admin/settings-page.tsx'),
    title: 'settingAdmin.settings',
    right: 'setting.view',
    group: 'site',
    aliases: 'options preferences configuration config general 选项 配置 全局 参数 站点设置 基本设置',
    finder: { title: 'settingAdmin.found', right: 'setting.view', find: findSettings },
    load: ({ api }) => api.read<typeof listSettings>('/admin/setting/list', {}),
  },
]
