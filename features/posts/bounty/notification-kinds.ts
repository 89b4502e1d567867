import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { bountyEnding: {} } as const satisfies NotificationKindDeclarations
