import { isolate } from '#base/direction.ts'
import type { Head, Say } from '#apps/web/screen.ts'

type Place = readonly [name: string, word: string]

/** The pages about a member. Menu, rail, heading and title call each by the one word that stands here. */
export const memberPlaces = {
  /** Of everybody who shows them. */
  shown: [
    ['home', 'user.home'],
    ['userDynamicList', 'user.activity'],
    ['topicList', 'user.topics'],
    ['commentList', 'user.comments'],
    ['replyList', 'user.replies'],
    ['questionList', 'user.questions'],
    ['answerList', 'user.answers'],
    ['answerReplyList', 'user.answerReplies'],
    ['favoriteList', 'user.favourites'],
    ['followList', 'user.follows'],
    ['followerList', 'user.followers'],
  ],
  /** One's own alone, like all that follow. */
  kept: [
    ['likeList', 'user.likes'],
    ['draftList', 'draft.drafts'],
    ['waitingList', 'review.waiting'],
    ['topicUnhideList', 'hiddenPart.unlocks'],
  ],
  settings: [
    ['remindList', 'notice.reminders'],
    ['systemNotifyList', 'notice.notices'],
    ['privateMessageList', 'message.messages'],
    ['point', 'wallet.points'],
    ['balance', 'wallet.balance'],
    ['giveRedEnvelopeList', 'redEnvelope.given'],
    ['receiveRedEnvelopeList', 'redEnvelope.received'],
    ['membershipCardOrderList', 'membership.orders'],
    ['reportList', 'report.reports'],
    ['editUser', 'user.editProfile'],
    ['signInMethods', 'identity.methods'],
    ['security', 'accountSecurity.security'],
    ['realNameAuthentication', 'realName.realName'],
    ['userLoginLogList', 'account.loginLog'],
    ['invitations', 'invitation.invitations'],
    ['remindSettings', 'notice.settings'],
    ['blockList', 'follow.blockList'],
    ['preferences', 'preferences.preferences'],
    ['personalData', 'personalData.myData'],
    ['leave', 'leaving.leave'],
  ],
  /** One comes to these from what they are about. */
  beside: [
    ['tokens', 'assistant.tokens'],
    ['payment', 'payment.topUp'],
    ['redEnvelope/add', 'redEnvelope.give'],
    ['redEnvelopeAmountDistributionList', 'redEnvelope.distribution'],
    ['hintQuestion', 'account.hintTitle'],
    ['phoneBinding', 'contact.phoneBinding'],
    ['updatePhoneBinding/step1', 'contact.updatePhone'],
    ['updatePhoneBinding/step2', 'contact.updatePhone'],
    ['emailBinding', 'contact.emailBinding'],
    ['updateEmailBinding/step1', 'contact.updateEmail'],
    ['updateEmailBinding/step2', 'contact.updateEmail'],
    ['topicLikeList', 'like.whoLikes'],
    ['topicFavoriteList', 'favourite.keepers'],
    ['questionFavoriteList', 'favourite.keepers'],
  ],
} as const satisfies Record<string, readonly Place[]>

export type MemberPlace = (typeof memberPlaces)[keyof typeof memberPlaces][number]
type PlaceName = MemberPlace[0]

const area = '/user/control/'
const words = new Map<string, string>(
  Object.values(memberPlaces)
    .flat()
    .map(([name, word]) => [area + name, word]),
)

/** The address of such a page: one's own without an id. */
export function placePath(name: PlaceName, userId: string | null = null): string {
  return `${area}${name}${userId === null ? '' : `?userId=${userId}`}`
}

/** What such a page is called; undefined elsewhere. */
export function placeWord(path: string): string | undefined {
  return words.get(path)
}

/** Whose such a page is asked for; null for one's own, which those are that nobody shows. */
export function askedMember(path: string, search: string): string | null {
  const isShown = memberPlaces.shown.some(([name]) => placePath(name) === path)
  return isShown ? new URLSearchParams(search).get('userId') : null
}

/** What the head of such a page says: its name, and whose it is. */
export function placeHead(path: string, data: unknown, say: Say): Head {
  const word = placeWord(path)
  const { user } = (data ?? {}) as { user?: { name: string } }
  return { ...(word && { title: user ? `${say(word)} · ${isolate(user.name)}` : say(word) }), isPrivate: true }
}
