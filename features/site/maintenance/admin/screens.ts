import type { Screen } from '#base/admin/screen.ts'
import type { backupList, health, jobBoard } from '#maintenance/contract.ts'
import type { releaseList } from '#maintenance/release-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/maintenance/health',
    page: () => import('#maintenance/admin/health-page.tsx'),
    title: 'maintenanceAdmin.health',
    right: 'site.maintain',
    group: 'upkeep',
    aliases: 'status monitor server system disk memory database errors version 状态 监控 服务器 系统信息 磁盘 内存 数据库 版本',
    load: ({ api }) => api.read<typeof health>('/admin/maintenance/health', {}),
  },
  {
    path: '/admin/maintenance/doctor',
    page: () => import('#maintenance/admin/doctor-page.tsx'),
    title: 'maintenanceAdmin.doctor',
    right: 'site.maintain',
    group: 'upkeep',
    aliases: 'doctor diagnose diagnosis proxy certificate tls dns spf dkim 诊断 体检 自检 反向代理 证书',
  },
  {
    path: '/admin/maintenance/job',
    page: () => import('#maintenance/admin/jobs-page.tsx'),
    title: 'maintenanceAdmin.jobs',
    right: 'site.maintain',
    group: 'upkeep',
    aliases: 'cron scheduled tasks schedule queue workers background 计划任务 定时任务 后台任务 队列 调度',
    load: ({ api }) => api.read<typeof jobBoard>('/admin/job/list', {}),
  },
  {
    path: '/admin/maintenance/backup',
    page: () => import('#maintenance/admin/backups-page.tsx'),
    title: 'maintenanceAdmin.backups',
    right: 'site.backup',
    group: 'upkeep',
    aliases: 'restore dump export download database snapshot 还原 恢复 导出 数据库备份 快照',
    load: ({ api }) => api.read<typeof backupList>('/admin/backup/list', {}),
  },
  {
    path: '/admin/maintenance/release',
    page: () => import('#maintenance/admin/releases-page.tsx'),
    title: 'maintenanceAdmin.releases',
    right: 'self',
    group: 'upkeep',
    aliases: 'version changelog release notes update upgrade news 版本 更新日志 升级 更新内容',
    load: ({ api }) => api.read<typeof releaseList>('/admin/release/list', {}),
  },
]
