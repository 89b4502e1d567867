import type { NotificationKind, NotificationView } from '#notification/notification-contract.ts'

export const sentences = {
  mentioned: 'toldMentioned',
  commented: 'toldCommented',
  repliedInThread: 'toldRepliedInThread',
  quoted: 'toldQuoted',
  replied: 'toldReplied',
  replyAnswered: 'toldReplyAnswered',
  repliedBeside: 'toldRepliedBeside',
  watched: 'toldWatched',
  followedWrote: 'toldFollowedWrote',
  liked: 'toldLiked',
  accepted: 'toldAccepted',
  bountyEnding: 'toldBountyEnding',
  unlocked: 'toldUnlocked',
  followed: 'toldFollowed',
  welcome: 'toldWelcome',
} as const satisfies Record<NotificationKind, string>

/** The label of each kind in the settings. */
export const labels = {
  mentioned: 'ofMentions',
  commented: 'ofComments',
  repliedInThread: 'ofRepliesInThread',
  quoted: 'ofQuotes',
  replied: 'ofReplies',
  replyAnswered: 'ofRepliesAnswered',
  repliedBeside: 'ofRepliesBeside',
  watched: 'ofWatched',
  followedWrote: 'ofFollowedWrote',
  liked: 'ofLikes',
  accepted: 'ofAccepted',
  bountyEnding: 'ofBountyEnding',
  unlocked: 'ofUnlocks',
  followed: 'ofFollowers',
  message: 'ofMessages',
} as const satisfies Record<Exclude<NotificationKind, 'welcome'> | 'message', string>

/** The actors, as the sentence names them. */
export function namesIn({ members, people }: Pick<NotificationView, 'members' | 'people'>) {
  const [one = '', two = ''] = members.map(({ name }) => name)
  return { people, one, two, others: people - 2 }
}
