import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { liked: {} } as const satisfies NotificationKindDeclarations
