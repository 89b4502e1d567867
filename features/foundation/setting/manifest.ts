import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'setting',
  staffRights: { site: ['setting.view', 'setting.change'] },
  auditActions: ['setting.change', 'setting.return'],
  auditSubjects: {
    setting: (name) => `/admin/setting?setting=${name}`,
  },
} as const satisfies Manifest
