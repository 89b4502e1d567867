import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { kinds } from '#kind/contract.ts'

/** Rights over other members' posts, and exemptions from review. */
export const moderationRights = [
  'content.edit.any',
  'content.remove.any',
  'topic.seeHidden',
  // Posts need no review, except where every post does.
  'topic.unreviewed',
  'comment.unreviewed',
  'reply.unreviewed',
  'question.unreviewed',
  'answer.unreviewed',
  'answerReply.unreviewed',
] as const

/** Rights that narrow what is visible. Visitors have no others, and viewers with the same ones share cached pages. */
export const visibilityRights = ['tag.view'] as const

/** Rights that are held for a tag and those below it, or everywhere that is not restricted. */
export const tagRights = [
  ...visibilityRights,
  'topic.publish',
  'topic.edit',
  'topic.remove',
  'comment.post',
  'comment.edit',
  'comment.remove',
  'reply.post',
  'reply.edit',
  'reply.remove',
  'question.ask',
  'question.edit',
  'question.remove',
  'answer.post',
  'answer.edit',
  'answer.remove',
  'answerReply.post',
  'answerReply.edit',
  'answerReply.remove',
  ...moderationRights,
] as const

/**
 * The right that is required in a restricted upper tag to use this right below it: the same; or, for moderation below, the right to view.
 */
export function rightAbove(right: Right): Right {
  return moderationRights.some((one) => one === right) ? 'tag.view' : right
}

/** Rights without a tag. */
export const globalRights = [
  'post.like',
  'message.send',
  'assistant.use',
  'picture.upload',
  'attachment.upload',
  'avatar.change',
  'profile.change',
  // For registration by invitation; also usable otherwise, to know who came by whom.
  'invite',
  // The locks with which they may hide parts of a topic.
  'hidden.password',
  'hidden.comment',
  'hidden.level',
  'hidden.points',
  'hidden.balance',
] as const

export type Right = (typeof tagRights)[number] | (typeof globalRights)[number]

export const NameView = z.object({ zh: z.string(), en: z.string() })
export type NameView = z.infer<typeof NameView>

export const RoleView = z.object({
  id: z.string(),
  name: NameView,
  /** Null where it does not end. */
  endsAt: z.iso.datetime().nullable(),
})

/** The functions that a member can be banned from. A later feature adds its own here, and guards its endpoints against banned members. */
export const functions = [...kinds, 'like', 'message', 'money', 'upload', 'profile', 'report', 'feedback', 'appeal', 'assistant'] as const
/** Public functions, from which a spammer is banned, and private messages. Writing to staff stays possible. */
export const publicFunctions = [...kinds, 'message', 'upload', 'profile'] as const satisfies readonly (typeof functions)[number][]
export type FunctionName = (typeof functions)[number]

export const Banned = refusal('role.banned')
export const RoleChanged = refusal('role.changed', { status: 409, field: 'version' })
export const RoleHeld = refusal('role.held')
export const DefaultStays = refusal('role.defaultStays')
/** A membership card sells it. */
export const RoleSold = refusal('role.sold')
/** A gift task gives it. */
export const RoleGiven = refusal('role.given')
export const MoreThanOwn = refusal('role.moreThanOwn', { status: 403 })
export const RightHasNoPlace = refusal('role.rightHasNoPlace', { field: 'rights' })

/** A right everywhere that is not restricted, or in one tag. */
const GrantedRight = z.object({ right: z.enum([...tagRights, ...globalRights]), tagId: id.nullable() })

export const roleList = read('/admin/role/list', {
  summary: 'The roles of members with all they may, and the tags that rights may be held for.',
  input: nothing,
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: NameView,
        isDefault: z.boolean(),
        sort: z.number(),
        version: z.number(),
        holders: z.number(),
        rights: z.array(z.object({ right: z.string(), tagId: z.string().nullable() })),
        cards: z.array(z.object({ id: z.string(), name: NameView })),
        tasks: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    tagRights: z.array(z.string()),
    plainRights: z.array(z.string()),
    tags: z.array(z.object({ id: z.string(), name: NameView, parentId: z.string().nullable(), isRestricted: z.boolean() })),
  }),
})

const name = plainString.min(1).max(50).optional()
const roleForm = {
  zh: name,
  en: name,
  sort: z.int().min(-1000).max(1000).default(0),
  rights: z.array(GrantedRight).max(5000).default([]),
}

export const addRole = write('/admin/role/add', {
  summary: 'Makes a role that members may hold.',
  input: withLanguageFallback(z.object(roleForm), ['zh', 'en']),
  output: z.object({ roleId: z.string() }),
  errors: [RightHasNoPlace, MoreThanOwn],
})

export const editRole = write('/admin/role/edit', {
  summary: 'Changes a role: its names, its place among the others, and what those may who hold it.',
  input: withLanguageFallback(z.object({ roleId: id, version: z.int(), ...roleForm }), ['zh', 'en']),
  output: nothing,
  errors: [RoleChanged, RightHasNoPlace, MoreThanOwn],
})

export const makeRoleDefault = write('/admin/role/default', {
  summary: 'Makes a role everybody’s, in place of the one that was.',
  input: z.object({ roleId: id }),
  output: nothing,
  errors: [RoleSold, RoleGiven],
})

export const removeRole = write('/admin/role/remove', {
  summary: 'Removes a role. One that is held goes only with `evenIfHeld`; everybody’s stays.',
  input: z.object({ roleId: id, evenIfHeld: z.boolean().default(false) }),
  output: nothing,
  errors: [RoleHeld, DefaultStays, RoleSold, RoleGiven, MoreThanOwn],
})
