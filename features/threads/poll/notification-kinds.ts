import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { pollEnded: {} } as const satisfies NotificationKindDeclarations
