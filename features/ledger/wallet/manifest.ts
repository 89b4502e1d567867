import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'wallet',
  staffRights: { wallet: ['wallet.view', 'wallet.adjust', 'wallet.reverse'], house: ['wallet.freeze'] },
  auditActions: [
    'wallet.adjust',
    'wallet.ask',
    'wallet.approve',
    'wallet.decline',
    'wallet.reverse',
    'wallet.export',
    'wallet.refund',
    'books.freeze',
    'books.thaw',
  ],
  auditSubjects: {
    transaction: (id) => `/admin/wallet/transaction?transactionId=${id}`,
  },
} as const satisfies Manifest
