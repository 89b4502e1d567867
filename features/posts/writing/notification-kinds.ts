import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { mentioned: {} } as const satisfies NotificationKindDeclarations
