import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'report',
  staffRights: { content: ['report.view', 'report.decide', 'report.manage'] },
  auditActions: [
    'report.ask',
    'report.decide',
    'report.decideAndRemove',
    'report.takeBack',
    'report.remove',
    'report.restore',
    'report.export',
    'appeal.restored',
    'appeal.confirmed',
    'appeal.takeBack',
    'appeal.export',
    'reportCategory.add',
    'reportCategory.edit',
    'reportCategory.remove',
  ],
  auditSubjects: {
    report: null,
    reportCategory: () => '/admin/reportCategory',
  },
} as const satisfies Manifest
