import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { threadKinds } from '#kind/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

/** The kinds of targets; a question is followed as a topic. */
export const followables = ['member', 'tag', 'topic'] as const
export type Followable = (typeof followables)[number]
/** A blocked member is muted, too. */
export const blockLevels = ['muted', 'blocked'] as const
export type BlockLevel = (typeof blockLevels)[number]
/** The notification levels of a thread or a tag: every new post; the number of new posts; mentions and replies only; none. */
export const levels = ['watching', 'tracking', 'normal', 'muted'] as const
export type Level = (typeof levels)[number]
/** More than is useful in a feed. */
export const maxFollowed = 5_000
export const maxBlocked = 1_000

export const Yourself = refusal('follow.yourself')
/** The other member has blocked the viewer, which the text does not tell. */
export const NotFollowable = refusal('follow.notFollowable')
export const BlockedByYou = refusal('follow.blockedByYou')
export const TooManyFollowed = refusal('follow.tooManyFollowed')
export const TooManyBlocked = refusal('follow.tooManyBlocked')

const followed = z.object({ of: z.enum(followables), id })
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const addFollow = write('/follow/add', {
  summary:
    'Follows a member, a tag, a topic or a question; what I follow already, I follow still. A thread is watched from then on, a tag tracked.',
  input: followed,
  output: nothing,
  errors: [Yourself, NotFollowable, BlockedByYou, TooManyFollowed],
})

export const removeFollow = write('/follow/remove', {
  summary: 'Follows somebody or something no more. A thread in which I write later is not tracked for that.',
  input: followed,
  output: nothing,
})

export const setLevel = write('/follow/level', {
  summary: 'Says how much of a thread or a tag I want to hear. Of what is watched all that is new is told, of what is muted nothing.',
  input: z.object({ of: z.enum(['tag', 'topic']), id, level: z.enum(levels) }),
  output: nothing,
  errors: [TooManyFollowed],
})

export const gatherNews = write('/follow/gather', {
  summary:
    'Reminds me of what was written where I watch and by whom I follow, since I asked last. Whoever shows notifications asks on arriving.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})

export const followMine = read('/follow/mine', {
  summary:
    'The tags of which I said how much I want to hear, the threads I muted last, and the members whose posts I would rather not read.',
  input: nothing,
  output: z.object({
    tags: z.array(z.object({ id: z.string(), level: z.enum(levels) })),
    mutedThreadIds: z.array(z.string()),
    muted: z.array(z.string()),
  }),
})

export const followOfMember = read('/follow/member', {
  summary: 'How many a member follows and is followed by, where they show it, and what they are to me.',
  input: z.object({ userId: id }),
  output: z.object({
    counts: z.object({ following: z.number(), followers: z.number() }).nullable(),
    /** False for oneself and for deactivated members. */
    canBeFollowed: z.boolean(),
    isFollowed: z.boolean().nullable(),
    way: z.enum(blockLevels).nullable(),
  }),
})

const ofMember = z.object({ userId: id.optional(), page: page.default(1) })
const at = z.iso.datetime()
const isFollowed = z.boolean().nullable()

export const followList = read('/user/control/followList', {
  summary: 'Whom and what I follow or muted, newest first, or what a member follows who shows their activity.',
  input: ofMember.extend({ of: z.enum(followables).default('member') }),
  output: z.object({
    user: AuthorView,
    of: z.enum(followables),
    followed: z.array(
      z.object({
        id: z.string(),
        at,
        isFollowed,
        /** Only in my own list, and not for members. */
        level: z.enum(levels).nullable(),
        /** All null if the target was removed or I may no longer see it. */
        member: AuthorView.nullable(),
        tag: PlaceView.nullable(),
        thread: z.object({ kind: z.enum(threadKinds), title: z.string() }).nullable(),
      }),
    ),
    ...Pages,
  }),
  errors: [ActivityHidden],
})
export type FollowedView = z.infer<typeof followList.output>['followed'][number]

export const followerList = read('/user/control/followerList', {
  summary: 'Who follows me, newest first, or a member who shows their activity.',
  input: ofMember,
  output: z.object({ user: AuthorView, followers: z.array(z.object({ member: AuthorView, at, isFollowed })), ...Pages }),
  errors: [ActivityHidden],
})

export const block = write('/follow/block', {
  summary:
    'Mutes a member, whose posts I read no more, or blocks them: then neither follows the other, and their mentions of me tell me nothing.',
  input: z.object({ userId: id, way: z.enum(blockLevels) }),
  output: nothing,
  errors: [Yourself, TooManyBlocked],
})

export const unblock = write('/follow/unblock', {
  summary: 'Neither mutes nor blocks a member any more. Whoever was followed before is not followed by that.',
  input: z.object({ userId: id }),
  output: nothing,
})

export const blockList = read('/user/control/blockList', {
  summary: 'Whom I mute and block, newest first.',
  input: z.object({ page: page.default(1) }),
  output: z.object({ blocked: z.array(z.object({ member: AuthorView, way: z.enum(blockLevels), at })), ...Pages }),
})
