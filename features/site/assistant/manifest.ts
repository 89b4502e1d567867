import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'assistant',
  staffRights: { content: ['assistant.report'], site: ['assistant.view', 'assistant.manage'] },
  auditActions: [
    'assistantModel.add',
    'assistantModel.edit',
    'assistantModel.remove',
    'assistantModel.test',
    'assistantPrompt.edit',
    'assistantPrompt.return',
    'assistantReport.open',
    'assistantReport.handle',
    'assistantUsage.export',
  ],
  auditSubjects: {
    assistantReport: (id) => `/admin/assistant/report/view?reportId=${id}`,
  },
} as const satisfies Manifest
