import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'sensitive-word',
  staffRights: { content: ['word.manage'] },
  auditActions: [
    'sensitiveList.add',
    'sensitiveList.edit',
    'sensitiveList.remove',
    'sensitiveWord.add',
    'sensitiveWord.replaceAll',
    'sensitiveWord.remove',
  ],
  auditSubjects: {
    sensitiveList: (id) => `/admin/sensitiveWord?listId=${id}`,
  },
} as const satisfies Manifest
