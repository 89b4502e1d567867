import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { part } from '#follow/post-part.ts'
import { threadKinds } from '#kind/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

/** The kinds of targets; a question is followed as a topic. */
export const followables = ['member', 'tag', 'topic'] as const
export type Followable = (typeof followables)[number]
/** A blocked member is muted, too. */
export const blockLevels = ['muted', 'blocked'] as const
export type BlockLevel = (typeof blockLevels)[number]
export const levels = part.mine.follows.shape.level.options
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
  summary: 'Follows a member, a tag, a topic or a question. Idempotent; the level becomes watching for a thread and tracking for a tag.',
  input: followed,
  output: nothing,
  errors: [Yourself, NotFollowable, BlockedByYou, TooManyFollowed],
})

export const removeFollow = write('/follow/remove', {
  summary: 'Unfollows a member, a tag or a thread. A later post in that thread does not track it again.',
  input: followed,
  output: nothing,
})

export const setLevel = write('/follow/level', {
  summary: 'Sets the notification level of a thread or a tag, from every new post (watching) to none (muted).',
  input: z.object({ of: z.enum(['tag', 'topic']), id, level: z.enum(levels) }),
  output: nothing,
  errors: [TooManyFollowed],
})

export const gatherNews = write('/follow/gather', {
  summary: 'Creates the notifications of new posts in watched threads and tags and by followed members. Clients call it on startup.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})

export const followMine = read('/follow/mine', {
  summary: 'Tags with a notification level, the most recently muted threads, and muted members.',
  input: nothing,
  output: z.object({
    tags: z.array(z.object({ id: z.string(), level: z.enum(levels) })),
    mutedThreadIds: z.array(z.string()),
    muted: z.array(z.string()),
  }),
})

export const followOfMember = read('/follow/member', {
  summary: 'Follower and following counts of a member, if public, and the viewer’s relation to them.',
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
  summary: 'Members, tags or threads that the member follows or muted, or that another with public activity follows; newest first.',
  input: ofMember.extend({ of: z.enum(followables).default('member') }),
  output: z.object({
    user: AuthorView,
    of: z.enum(followables),
    followed: z.array(
      z.object({
        id: z.string(),
        at,
        isFollowed,
        /** Only in the member's own list, and not for members. */
        level: z.enum(levels).nullable(),
        /** All null if the target was removed or is no longer visible to the viewer. */
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
  summary: 'Followers of the member, or of another member with public activity, newest first.',
  input: ofMember,
  output: z.object({ user: AuthorView, followers: z.array(z.object({ member: AuthorView, at, isFollowed })), ...Pages }),
  errors: [ActivityHidden],
})

export const block = write('/follow/block', {
  summary: 'Mutes a member, which hides their posts, or blocks them: also ends following on both sides and silences their mentions.',
  input: z.object({ userId: id, way: z.enum(blockLevels) }),
  output: nothing,
  errors: [Yourself, TooManyBlocked],
})

export const unblock = write('/follow/unblock', {
  summary: 'Unmutes or unblocks a member. Earlier follows are not restored.',
  input: z.object({ userId: id }),
  output: nothing,
})

export const blockList = read('/user/control/blockList', {
  summary: 'Members whom the member mutes or blocks, newest first.',
  input: z.object({ page: page.default(1) }),
  output: z.object({ blocked: z.array(z.object({ member: AuthorView, way: z.enum(blockLevels), at })), ...Pages }),
})
