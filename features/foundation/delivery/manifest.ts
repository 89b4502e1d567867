import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'delivery',
  auditActions: ['delivery.test', 'delivery.find', 'delivery.edit', 'delivery.return'],
  auditSubjects: {
    delivery: () => '/admin/delivery',
    template: (id) => `/admin/delivery/template/edit?template=${id.split('.')[0]}`,
    recipient: null,
  },
} as const satisfies Manifest
