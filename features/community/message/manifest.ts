import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'message',
  staffRights: { content: ['message.report'] },
  auditActions: ['messageReport.open', 'messageReport.decide'],
  auditSubjects: {
    messageReport: (id) => `/admin/messageReport/view?reportId=${id}`,
  },
} as const satisfies Manifest
