import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'notification',
  staffRights: { site: ['announcement.send'] },
  auditActions: ['announcement.add', 'announcement.edit', 'announcement.withdraw', 'announcement.remove', 'announcement.restore'],
  auditSubjects: {
    notice: (id) => `/admin/notice/edit?noticeId=${id}`,
  },
} as const satisfies Manifest
