import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = {
  commented: { endsWhenMoved: true },
  repliedInThread: { endsWhenMoved: true },
  quoted: {},
  replied: {},
  replyAnswered: {},
  repliedBeside: {},
} as const satisfies NotificationKindDeclarations
