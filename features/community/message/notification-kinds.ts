import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { message: { hasOwnPage: true } } as const satisfies NotificationKindDeclarations
