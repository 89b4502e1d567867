import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { threadKinds } from '#kind/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

/** What can be followed; a question is followed as a topic is. */
export const followables = ['member', 'tag', 'topic'] as const
export type Followable = (typeof followables)[number]
/** Who is blocked is muted, too. */
export const ways = ['muted', 'blocked'] as const
export type Way = (typeof ways)[number]
/** How much of a thread or a tag one wants to hear: of all that is new; how much that is; where one is named or answered; nothing. */
export const levels = ['watching', 'tracking', 'normal', 'muted'] as const
export type Level = (typeof levels)[number]
/** More than anybody reads the news of. */
export const mostFollowed = 5_000
export const mostBlocked = 1_000

export const Yourself = refusal('follow.yourself')
/** They blocked whoever asks, which is not said. */
export const NotFollowable = refusal('follow.notFollowable')
export const BlockedByYou = refusal('follow.blockedByYou')
export const TooManyFollowed = refusal('follow.tooManyFollowed')
export const TooManyBlocked = refusal('follow.tooManyBlocked')

const followed = z.object({ of: z.enum(followables), id })
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const addFollow = write('/follow/add', {
  does: 'Follows a member, a tag, a topic or a question; what I follow already, I follow still. A thread is watched from then on, a tag tracked.',
  takes: followed,
  gives: nothing,
  refuses: [Yourself, NotFollowable, BlockedByYou, TooManyFollowed],
})

export const removeFollow = write('/follow/remove', {
  does: 'Follows somebody or something no more. A thread in which I write later is not tracked for that.',
  takes: followed,
  gives: nothing,
})

export const setLevel = write('/follow/level', {
  does: 'Says how much of a thread or a tag I want to hear. Of what is watched all that is new is told, of what is muted nothing.',
  takes: z.object({ of: z.enum(['tag', 'topic']), id, level: z.enum(levels) }),
  gives: nothing,
  refuses: [TooManyFollowed],
})

export const gatherNews = write('/follow/gather', {
  does: 'Reminds me of what was written where I watch and by whom I follow, since I asked last. Whoever shows reminders asks on arriving.',
  takes: nothing,
  gives: nothing,
  answeredWhile: 'readOnly',
})

export const followMine = read('/follow/mine', {
  does: 'The tags of which I said how much I want to hear, the threads I muted last, and the members whose posts I would rather not read.',
  takes: nothing,
  gives: z.object({
    tags: z.array(z.object({ id: z.string(), level: z.enum(levels) })),
    mutedThreadIds: z.array(z.string()),
    muted: z.array(z.string()),
  }),
})

export const followOfMember = read('/follow/member', {
  does: 'How many a member follows and is followed by, where they show it, and what they are to me.',
  takes: z.object({ userId: id }),
  gives: z.object({
    counts: z.object({ following: z.number(), followers: z.number() }).nullable(),
    /** Whether there is anybody to follow: neither myself nor who is gone. */
    canBeFollowed: z.boolean(),
    /** Null for visitors. */
    isFollowed: z.boolean().nullable(),
    way: z.enum(ways).nullable(),
  }),
})

const ofMember = z.object({ userId: id.optional(), page: page.default(1) })
const at = z.iso.datetime()
/** Whether I follow them; null for visitors. */
const isFollowed = z.boolean().nullable()

export const followList = read('/user/control/followList', {
  does: 'Whom and what I follow or muted, newest first, or what a member follows who shows their activity.',
  takes: ofMember.extend({ of: z.enum(followables).default('member') }),
  gives: z.object({
    user: AuthorView,
    of: z.enum(followables),
    followed: z.array(
      z.object({
        id: z.string(),
        at,
        isFollowed,
        /** Of my own, but members. */
        level: z.enum(levels).nullable(),
        /** All null where it is gone, or no longer for me to see. */
        member: AuthorView.nullable(),
        tag: PlaceView.nullable(),
        thread: z.object({ kind: z.enum(threadKinds), title: z.string() }).nullable(),
      }),
    ),
    ...Pages,
  }),
  refuses: [ActivityHidden],
})
export type FollowedView = z.infer<typeof followList.gives>['followed'][number]

export const followerList = read('/user/control/followerList', {
  does: 'Who follows me, newest first, or a member who shows their activity.',
  takes: ofMember,
  gives: z.object({ user: AuthorView, followers: z.array(z.object({ member: AuthorView, at, isFollowed })), ...Pages }),
  refuses: [ActivityHidden],
})

export const block = write('/follow/block', {
  does: 'Mutes a member, whose posts I read no more, or blocks them: then neither follows the other, and their mentions of me tell me nothing.',
  takes: z.object({ userId: id, way: z.enum(ways) }),
  gives: nothing,
  refuses: [Yourself, TooManyBlocked],
})

export const unblock = write('/follow/unblock', {
  does: 'Neither mutes nor blocks a member any more. Whoever was followed before is not followed by that.',
  takes: z.object({ userId: id }),
  gives: nothing,
})

export const blockList = read('/user/control/blockList', {
  does: 'Whom I mute and block, newest first.',
  takes: z.object({ page: page.default(1) }),
  gives: z.object({ blocked: z.array(z.object({ member: AuthorView, way: z.enum(ways), at })), ...Pages }),
})
