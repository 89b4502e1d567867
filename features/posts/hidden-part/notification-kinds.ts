import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { unlocked: {} } as const satisfies NotificationKindDeclarations
