import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'payment',
  staffRights: { wallet: ['payment.view', 'payment.refund', 'payment.approve', 'payment.keys'] },
  auditActions: [
    'payment.ask',
    'payment.refund',
    'payment.credit',
    'payment.return',
    'payment.declineRefund',
    'payment.book',
    'payment.dismiss',
    'payment.readAgain',
    'payment.settle',
    'payment.test',
    'payment.export',
    'payment.refundExport',
    'payment.monthExport',
  ],
  auditSubjects: {
    payment: (id) => `/admin/payment/view?number=${id}`,
    paymentEvent: (id) => `/admin/payment/event/view?eventId=${id}`,
    paymentProvider: () => '/admin/payment/provider',
  },
} as const satisfies Manifest
