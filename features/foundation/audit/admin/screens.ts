import { auditLog } from '#audit/contract.ts'
import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/audit',
    page: () => import('#audit/admin/audit-page.tsx'),
    title: 'auditAdmin.log',
    right: 'audit.view',
    group: 'house',
    aliases: 'audit log history trail who did it activity 日志 审计 操作记录 管理日志 后台日志',
    load: listLoader(auditLog),
  },
]
