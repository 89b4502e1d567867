import type { Screen } from '#base/admin/screen.ts'
import type { fieldList } from '#field/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/field',
    page: () => import('#field/admin/fields-page.tsx'),
    title: 'fieldAdmin.fields',
    right: 'setting.change',
    group: 'members',
    aliases: 'custom fields profile fields registration form questions signup 自定义字段 资料字段 用户栏目 注册表单 注册问题 个人资料',
    load: ({ api }) => api.read<typeof fieldList>('/admin/field/list', {}),
  },
]
