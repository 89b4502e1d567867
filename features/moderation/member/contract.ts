import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { plainString, typedString } from '#base/plain-text.ts'
import { accountName } from '#account/contract.ts'
import { id, nothing, read, refusal, write, type Output } from '#base/contract.ts'
import { listOutput, listInput } from '#base/list.ts'
import { field, staffList } from '#base/staff-list.ts'
import { AnswerView } from '#field/contract.ts'
import { bannedFrom, BanView, VerificationView, LoginView, LoginMethodsView, ProgramTokenView, SessionView } from '#member/view-contract.ts'
import { MoreThanOwn, NameView, RoleView } from '#role/contract.ts'
import { nickname } from '#user/contract.ts'
import { BooksFrozen } from '#wallet/contract.ts'

/** Banned from a function for now; disabled for now; left by themselves; closed permanently, unless staff restore the account. */
export const states = ['active', 'banned', 'disabled', 'left', 'cancelled'] as const

export const NameTaken = refusal('member.nameTaken', { field: 'account' })
export const NicknameTaken = refusal('member.nicknameTaken', { field: 'nickname' })
export const MemberChanged = refusal('member.changed', { status: 409, field: 'version' })
export const SpeaksForStaff = refusal('member.speaksForStaff')
export const NotInThatState = refusal('member.notInThatState')
/** The posts belong to another member, so that nothing can be restored. */
export const WasMerged = refusal('member.wasMerged')
/** A batch never shortens a role that is held. */
export const HeldLonger = refusal('member.heldLonger')
/** It is the account's only login method. */
export const LastWay = refusal('member.lastWay')
export const WayGone = refusal('member.wayGone')
/** The member was never verified, or has withdrawn since. */
export const NothingChecked = refusal('member.nothingChecked')
export const EndsTooSoon = refusal('member.endsTooSoon', { field: 'endsAt' })

const when = z.iso.datetime()
export const moment = z.iso.datetime({ offset: true })
const memberInput = { memberId: id }
export const reason = plainString.min(1).max(500)

const Named = z.object({ id: z.string(), name: NameView })

const state = field.choice(states, (name) => `state${name}`)

const members = staffList('/admin/member/list', {
  summary: 'Members, with filters by name, network address, profile fields, role and state.',
  words: 'memberAdmin',
  columns: {
    account: field.text,
    nickname: field.orNull(field.text),
    state,
    roles: field.other(z.array(NameView)),
    posts: field.composed,
    joinedAt: field.labelled('joined', field.time),
    lastSeenAt: field.labelled('seen', field.time),
    joinedIp: field.extra(field.orNull(field.text)),
    joinedRegion: field.extra(field.region),
  },
  values: { avatar: z.string().nullable(), isOfficial: z.boolean(), topics: z.number(), comments: z.number(), replies: z.number() },
  filters: {
    name: field.labelled('namePart', field.typed(typedString.trim().max(30).optional())),
    /** Whether account or nickname contains the text, or begins with it. */
    names: field.typed(z.enum(['part', 'beginning']).default('part')),
    state,
    roleId: field.labelled('roles', field.typed(id.optional())),
    /** One address, or a network such as 10.0.0.0/8, that they ever used. */
    ip: field.typed(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).optional()),
    joinedSince: field.times.since,
    joinedUntil: field.times.until,
    seenSince: field.times.since,
    seenUntil: field.times.until,
    /** The members of a batch, in their current state. */
    batchId: field.labelled('ofBatch', field.typed(id.optional())),
    fieldId: field.typed(id.optional()),
    /** The key of an option; or a part of a text answer. */
    answer: field.typed(z.string().max(100).optional()),
  },
  sorts: { joined: 'joinedAt', seen: 'lastSeenAt', posts: 'posts' },
})

export const memberList = {
  ...members,
  /** With the roles and the fields that one may search by. */
  output: members.output.extend({
    roleChoices: z.array(Named),
    fields: z.array(Named.extend({ /** For a choice field. */ options: z.array(z.object({ key: z.string(), name: NameView })) })),
  }),
}

export const noteExport = exportOf('/admin/member/export')

export const memberView = read('/admin/member/view', {
  summary: 'Complete staff view of a member. With `addresses` it includes the bound addresses, and the access is logged.',
  input: z.object({ ...memberInput, /** Includes their logins and login methods. */ addresses: z.boolean().default(false) }),
  output: memberList.row.extend({
    version: z.number(),
    deactivated: z.object({ at: when, because: z.string().nullable() }).nullable(),
    /** The former account and nickname, where they were freed. */
    freed: z.object({ account: z.string(), nickname: z.string().nullable() }).nullable(),
    mergedInto: z.string().nullable(),
    language: z.enum(['zh', 'en']),
    about: z.string(),
    hasHint: z.boolean(),
    hasSecondFactor: z.boolean(),
    /** Null without `addresses`. */
    ways: LoginMethodsView.nullable(),
    realName: VerificationView.nullable(),
    /** The former names, and their ends. */
    formerNames: z.array(z.object({ name: z.string(), until: when })),
    files: z.number(),
    heldRoles: z.array(RoleView),
    told: z.array(AnswerView),
    sessions: z.array(SessionView),
    /** The tokens by which the member’s own programs speak for them. */
    tokens: z.array(ProgramTokenView),
    logins: z.array(LoginView),
    bans: z.array(BanView),
    /** The numbers of their posts that were reported, reviewed or removed, of their reports, and of sanctions by staff. */
    record: z.object({
      reportsMade: z.number(),
      reportsUpheld: z.number(),
      reported: z.number(),
      reportedUpheld: z.number(),
      reviewed: z.number(),
      rejected: z.number(),
      topicsRemoved: z.number(),
      commentsRemoved: z.number(),
      repliesRemoved: z.number(),
      actions: z.number(),
    }),
    notes: z.array(z.object({ id: z.string(), at: when, by: z.string(), text: z.string() })),
    /** Other members who registered from the same network. */
    neighbours: z.array(members.row.pick({ id: true, account: true, nickname: true, joinedAt: true, state: true })),
    rolesVersion: z.string(),
    /** The roles that can be given. */
    roleChoices: z.array(Named),
  }),
})
export type Member = Output<typeof memberView>

export const memberLogins = read('/admin/member/logins', {
  summary: 'Sign-in log of a member: times and addresses of sign-ins and session renewals.',
  input: listInput(['at'], memberInput),
  output: listOutput(LoginView),
})

export const addMember = write('/admin/member/add', {
  summary: 'Adds a member without registration. The password is shown once.',
  input: z.object({ account: accountName }),
  output: z.object({ memberId: z.string(), password: z.string() }),
  errors: [NameTaken],
})

export const editMember = write('/admin/member/edit', {
  summary: 'Changes the name of a member, or removes their avatar.',
  input: z.object({
    ...memberInput,
    version: z.int(),
    nickname,
    removesAvatar: z.boolean().default(false),
    removesAbout: z.boolean().default(false),
    reason: reason.optional(),
  }),
  output: nothing,
  errors: [MemberChanged, NicknameTaken, SpeaksForStaff],
})

export const setMemberRoles = write('/admin/member/roles', {
  summary: 'Replaces all roles of a member, each with an end or permanent. Fails if the roles have changed since they were read.',
  input: z.object({
    ...memberInput,
    version: z.string().max(30).optional(),
    roles: z
      .array(z.object({ roleId: id, endsAt: moment.nullable() }))
      .max(50)
      .default([]),
  }),
  output: nothing,
  errors: [EndsTooSoon, SpeaksForStaff, MoreThanOwn, MemberChanged],
})

export const resetMemberPassword = write('/admin/member/resetPassword', {
  summary: 'Resets the password of a member, shows it once, and ends all their sessions and tokens.',
  input: z.object({ ...memberInput, reason }),
  output: z.object({ password: z.string() }),
  errors: [SpeaksForStaff, MoreThanOwn],
})

export const resetMemberHint = write('/admin/member/resetHint', {
  summary: 'Removes the hint question of a member, with its answer.',
  input: z.object({ ...memberInput, reason }),
  output: nothing,
  errors: [SpeaksForStaff, MoreThanOwn],
})

export const endMemberSessions = write('/admin/member/endSessions', {
  summary: 'Ends one session of a member, or all of them, and with all the tokens of their programs.',
  input: z.object({ ...memberInput, sessionId: id.optional() }),
  output: nothing,
})

/** The fields of a ban, without its members. */
export const ban = {
  from: bannedFrom,
  /** Permanent if absent. */
  endsAt: moment.optional(),
  reason,
}

export const banMember = write('/admin/member/ban', {
  summary: 'Bans a member from functions, until a given time or permanently. The member learns of the ban on using the function.',
  input: z.object({ ...memberInput, ...ban }),
  output: nothing,
  errors: [EndsTooSoon, SpeaksForStaff],
})

export const liftBan = write('/admin/member/liftBan', {
  summary: 'Ends a ban early.',
  input: z.object({ banId: id }),
  output: nothing,
})

const standing = { input: z.object({ ...memberInput, reason }), output: nothing, errors: [NotInThatState, SpeaksForStaff] }

export const disableMember = write('/admin/member/disable', {
  summary: 'Disables a member until staff enable them again. Their posts stay.',
  ...standing,
})

export const enableMember = write('/admin/member/enable', {
  summary: 'Enables a disabled member.',
  input: z.object(memberInput),
  output: nothing,
  errors: [NotInThatState],
})

export const cancelMember = write('/admin/member/cancel', {
  summary: 'Closes an account permanently. Its posts stay; the site settings decide whether its name stays reserved.',
  ...standing,
})

export const restoreMember = write('/admin/member/restore', {
  summary: 'Restores a closed account under its former name.',
  input: z.object(memberInput),
  output: nothing,
  errors: [NotInThatState, NameTaken, WasMerged, BooksFrozen],
})

export const addNote = write('/admin/member/note', {
  summary: 'Adds a note about a member, visible to staff only.',
  input: z.object({ ...memberInput, text: plainString.min(1).max(2000) }),
  output: nothing,
})
