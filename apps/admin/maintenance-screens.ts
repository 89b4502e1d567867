import type { Screen } from '#apps/admin/screen.ts'
import type { backupList, health, jobBoard } from '#maintenance/contract.ts'

const features = '../../features'

/** Maintenance. */
export const maintenanceScreens: readonly Screen[] = [
  {
    path: '/admin/maintenance/health',
    file: `${features}/maintenance/admin/health-page.tsx`,
    title: 'maintenanceAdmin.health',
    right: 'site.maintain',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof health>('/admin/maintenance/health', {}),
  },
  {
    path: '/admin/maintenance/job',
    file: `${features}/maintenance/admin/jobs-page.tsx`,
    title: 'maintenanceAdmin.jobs',
    right: 'site.maintain',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof jobBoard>('/admin/job/list', {}),
  },
  {
    path: '/admin/maintenance/backup',
    file: `${features}/maintenance/admin/backups-page.tsx`,
    title: 'maintenanceAdmin.backups',
    right: 'site.backup',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof backupList>('/admin/backup/list', {}),
  },
]
