import type { Screen } from '#apps/admin/screen.ts'
import type { backupList } from '#maintenance/contract.ts'

const features = '../../features'

/** What keeps the forum well. */
export const maintenanceScreens: readonly Screen[] = [
  {
    path: '/admin/maintenance/backup',
    file: `${features}/maintenance/admin/backups-page.tsx`,
    title: 'maintenanceAdmin.backups',
    right: 'site.backup',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof backupList>('/admin/backup/list', {}),
  },
]
