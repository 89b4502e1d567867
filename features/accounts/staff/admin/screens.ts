import type { Screen } from '#base/admin/screen.ts'
import type { StaffRight } from '#staff/admin/staff.tsx'
import type { ownSessions, staffList, staffRoles } from '#staff/contract.ts'
import type { me } from '#staff/right-contract.ts'

declare module '#base/admin/screen.ts' {
  interface StaffRights extends Record<StaffRight, true> {}
}

export const screens: readonly Screen[] = [
  {
    path: '/admin/staff',
    page: () => import('#staff/admin/staff-page.tsx'),
    title: 'staffAdmin.staff',
    right: 'staff.manage',
    group: 'house',
    aliases: 'administrators admins moderators team two-factor two factor 2fa mfa 管理员 版主 团队 员工 后台账号 二次验证 双重验证',
    load: async ({ api }) => {
      const [{ staff }, { roles }] = await Promise.all([
        api.read<typeof staffList>('/admin/staff/list', {}),
        api.read<typeof staffRoles>('/admin/staffRole/list', {}),
      ])
      return { staff, roles }
    },
  },
  {
    path: '/admin/staffRole',
    page: () => import('#staff/admin/staff-roles-page.tsx'),
    title: 'staffAdmin.roles',
    right: 'staff.manage',
    group: 'house',
    aliases: 'permissions permission rights admin groups 权限 管理组 管理权限 后台权限',
    load: ({ api }) => api.read<typeof staffRoles>('/admin/staffRole/list', {}),
  },
  {
    path: '/admin/self',
    page: () => import('#staff/admin/self-page.tsx'),
    title: 'staffAdmin.self',
    right: 'self',
    aliases:
      'my account profile password sessions two-factor two factor 2fa mfa totp authenticator recovery codes 我的账号 改密码 密码 登录设备 两步验证 二次验证 双重验证 恢复码',
    load: async ({ api }) => {
      const [who, { sessions }] = await Promise.all([
        api.read<typeof me>('/admin/me', {}),
        api.read<typeof ownSessions>('/admin/session/list', {}),
      ])
      return { who, sessions }
    },
  },
]
