import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'maintenance',
  staffRights: { house: ['site.maintain', 'site.backup'] },
  auditActions: [
    'backup.make',
    'backup.rehearse',
    'backup.open',
    'backup.remove',
    'job.retry',
    'job.discard',
    'site.clearCaches',
    'site.rebuildSearch',
  ],
  auditSubjects: {
    backup: () => '/admin/maintenance/backup',
    job: () => '/admin/maintenance/job',
  },
} as const satisfies Manifest
