import { isolate } from '#base/direction.ts'
import type { Head, Translate } from '#base/web/screen.ts'

/** The last segment of the path, the message key, and the parent page, unless the group lists the page first. */
type PageEntry = readonly [name: string, word: string, from?: string]
type Group = { word: string; pages: readonly PageEntry[] }

/** Every page of the member area, in one group. Tabs, lists, back links, headings and titles come from here. */
export const memberTree = {
  /** Below a member's header. */
  tabs: {
    activity: {
      word: 'user.activity',
      pages: [
        ['home', 'user.home'],
        ['userDynamicList', 'user.activity', 'home'],
      ],
    },
    content: {
      word: 'user.content',
      pages: [
        ['topicList', 'user.topics'],
        ['questionList', 'user.questions'],
        ['commentList', 'user.comments'],
        ['answerList', 'user.answers'],
        ['replyList', 'user.replies'],
        ['answerReplyList', 'user.answerReplies'],
        ['draftList', 'draft.drafts'],
        ['waitingList', 'review.waiting'],
        ['deletedList', 'post.deletedPosts'],
        ['topicUnhideList', 'hiddenPart.unlocks'],
        ['reportList', 'report.reports'],
        ['topicLikeList', 'like.whoLikes', 'topicList'],
        ['topicFavoriteList', 'favourite.keepers', 'topicList'],
        ['questionFavoriteList', 'favourite.keepers', 'questionList'],
      ],
    },
    favorites: {
      word: 'user.favourites',
      pages: [
        ['favoriteList', 'user.favourites'],
        ['likeList', 'user.likes'],
      ],
    },
    following: {
      word: 'user.follows',
      pages: [
        ['followList', 'user.follows'],
        ['followerList', 'user.followers'],
      ],
    },
    wallet: {
      word: 'user.wallet',
      pages: [
        ['point', 'wallet.points'],
        ['balance', 'wallet.balance'],
        ['giveRedEnvelopeList', 'redEnvelope.given'],
        ['receiveRedEnvelopeList', 'redEnvelope.received'],
        ['membershipCardOrderList', 'membership.orders'],
        ['payment', 'payment.topUp', 'balance'],
        ['redEnvelope/add', 'redEnvelope.give', 'giveRedEnvelopeList'],
        ['redEnvelopeAmountDistributionList', 'redEnvelope.distribution', 'giveRedEnvelopeList'],
      ],
    },
  },
  settings: {
    overview: { word: 'user.settings', pages: [['settings', 'user.settings']] },
    profile: {
      word: 'user.profile',
      pages: [
        ['editUser', 'user.editProfile'],
        ['invitations', 'invitation.invitations'],
      ],
    },
    security: {
      word: 'user.security',
      pages: [
        ['security', 'accountSecurity.security'],
        ['password', 'account.password', 'security'],
        ['signInMethods', 'identity.methods', 'security'],
        ['passkeys', 'accountSecurity.passkeys', 'security'],
        ['secondFactor', 'accountSecurity.codes', 'security'],
        ['userLoginLogList', 'account.loginLog', 'security'],
        ['realNameAuthentication', 'realName.realName', 'security'],
        ['tokens', 'mcp.tokens', 'security'],
        ['hintQuestion', 'account.hintTitle', 'password'],
        ['phoneBinding', 'contact.phoneBinding', 'signInMethods'],
        ['updatePhoneBinding/step1', 'contact.updatePhone', 'signInMethods'],
        ['updatePhoneBinding/step2', 'contact.updatePhone', 'signInMethods'],
        ['emailBinding', 'contact.emailBinding', 'signInMethods'],
        ['updateEmailBinding/step1', 'contact.updateEmail', 'signInMethods'],
        ['updateEmailBinding/step2', 'contact.updateEmail', 'signInMethods'],
      ],
    },
    notifications: { word: 'user.notifications', pages: [['remindSettings', 'notification.settings']] },
    reading: {
      word: 'user.reading',
      pages: [
        ['preferences', 'preferences.preferences'],
        ['blockList', 'follow.blockList'],
      ],
    },
    data: {
      word: 'user.data',
      pages: [
        ['personalData', 'personalData.myData'],
        ['leave', 'leaving.leave'],
      ],
    },
  },
  /** Behind the bell, with its own tabs. */
  inbox: {
    all: {
      word: 'notification.behindBell',
      pages: [
        ['remindList', 'notification.events'],
        ['systemNotifyList', 'notification.notices'],
        ['privateMessageList', 'message.messages'],
        ['privateMessageChatList', 'message.messages', 'privateMessageList'],
      ],
    },
  },
} as const satisfies Record<string, Record<string, Group>>

type Tree = typeof memberTree
export type AreaName = keyof Tree
type Groups = { [Area in AreaName]: Tree[Area][keyof Tree[Area]] }[AreaName]
export type MemberPageName = Groups['pages'][number][0]
export type MemberPage = { name: MemberPageName; word: string; from: MemberPageName | null; area: AreaName; group: string }

/** The pages of members that others may see; all others are private. */
const publicPages: readonly MemberPageName[] = [
  ...(['home', 'userDynamicList', 'topicList', 'questionList', 'commentList', 'answerList', 'replyList', 'answerReplyList'] as const),
  ...(['favoriteList', 'followList', 'followerList'] as const),
]

/** All pages, in the order of the tree. */
export const memberPages: readonly MemberPage[] = Object.entries(memberTree).flatMap(([area, groups]) =>
  Object.entries<Group>(groups).flatMap(([group, { pages }]) =>
    pages.map(([name, word, from = null]) => ({ name, word, from, area, group }) as MemberPage),
  ),
)

const root = '/user/control/'
const byPath = new Map(memberPages.map((place) => [root + place.name, place]))

/** The path of a page; one's own without an id. */
export function memberPagePath(name: MemberPageName, userId: string | null = null): string {
  return `${root}${name}${userId === null ? '' : `?userId=${userId}`}`
}

/** The page of a path; undefined for others. */
export function memberPageAt(path: string): MemberPage | undefined {
  return byPath.get(path)
}

export function isPublicPage(name: MemberPageName): boolean {
  return publicPages.includes(name)
}

/** The member whose page is requested; null for one's own, which private pages always are. */
export function requestedMember(path: string, search: string): string | null {
  const place = memberPageAt(path)
  return place && isPublicPage(place.name) ? new URLSearchParams(search).get('userId') : null
}

/** The head of a page: its name, and its member's. */
export function memberPageHead(path: string, data: unknown, translate: Translate): Head {
  const word = memberPageAt(path)?.word
  const { user } = (data ?? {}) as { user?: { name: string } }
  return { ...(word && { title: user ? `${translate(word)} · ${isolate(user.name)}` : translate(word) }), isPrivate: true }
}
