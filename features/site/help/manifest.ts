import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'help',
  staffRights: { site: ['help.manage'] },
  auditActions: ['help.add', 'help.edit', 'help.remove', 'helpCategory.add', 'helpCategory.edit', 'helpCategory.remove', 'terms.publish'],
  auditSubjects: {
    help: (id) => `/admin/help/edit?pageId=${id}`,
    helpCategory: () => '/admin/help',
    terms: () => '/admin/terms',
  },
} as const satisfies Manifest
