import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { welcome: { isFixed: true } } as const satisfies NotificationKindDeclarations
