import type { NotificationKindDeclarations } from '#base/notification-kind.ts'

export const notificationKinds = {
  watched: { chosenAt: (postKind) => `/user/control/followList?of=${postKind === 'topic' ? 'tag' : 'topic'}` },
  followedWrote: { chosenAt: () => '/user/control/followList' },
  followed: {},
} as const satisfies NotificationKindDeclarations
