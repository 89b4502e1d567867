import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'field',
  auditActions: ['field.add', 'field.edit', 'field.remove'],
  auditSubjects: {
    field: () => '/admin/field',
  },
} as const satisfies Manifest
