import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = { accepted: { endsWhenMoved: true } } as const satisfies NotificationKindDeclarations
