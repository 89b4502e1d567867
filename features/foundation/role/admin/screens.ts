import type { Screen } from '#base/admin/screen.ts'
import type { roleList } from '#role/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/role',
    page: () => import('#role/admin/roles-page.tsx'),
    title: 'roleAdmin.roles',
    right: 'role.manage',
    group: 'members',
    aliases:
      'permissions permission rights access groups user groups usergroups moderators badges 权限 用户组 会员组 身份组 版主 斑竹 等级',
    load: ({ api }) => api.read<typeof roleList>('/admin/role/list', {}),
  },
]
