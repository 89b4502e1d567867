import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { id, nothing, read, refusal, time, write } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'
import { SpeaksForStaff, WasMerged } from '#member/contract.ts'
import { functions } from '#role/all-rights.ts'
import { NameView } from '#role/contract.ts'

/** The days for which a clean-up can be undone. */
export const undoDays = 30

export const AlreadyAtIt = refusal('memberCleanup.alreadyAtIt')
export const CleanAlready = refusal('memberCleanup.cleanAlready')
export const CannotUndo = refusal('memberCleanup.cannotUndo')
export const NotItsName = refusal('memberCleanup.notItsName', { field: 'account' })
export const SameMember = refusal('memberCleanup.sameMember', { field: 'into' })
export const NobodyCalledSo = refusal('memberCleanup.nobodyCalledSo', { field: 'into' })
export const GoneAlready = refusal('memberCleanup.goneAlready', { field: 'into' })

const statuses = ['removing', 'removed', 'restoring', 'restored'] as const
const reason = plainString.min(1).max(500)
const progress = z.object({ cleaningId: z.string(), status: z.enum(statuses), removed: z.number(), restored: z.number() })

export const cleanings = staffList('/admin/cleaning/list', {
  summary: 'Clean-ups of a member’s posts, with their progress.',
  words: 'memberCleanupAdmin',
  columns: {
    at: field.time,
    account: field.labelled('member', field.text),
    reason: field.text,
    by: field.text,
    status: field.other(progress.shape.status),
    undo: field.composed,
  },
  values: {
    ...progress.omit({ status: true }).shape,
    memberId: z.string(),
    /** Null once it was undone, or can be no more. */ undoUntil: time.nullable(),
  },
  filters: { memberId: field.typed(id.optional()) },
  sorts: { at: 'at' },
})

export const cleanLook = read('/admin/cleaning/look', {
  summary: 'Preview of a clean-up: the member’s posts to remove, and the reports to settle.',
  input: z.object({ memberId: id }),
  output: z.object({
    topics: z.number(),
    comments: z.number(),
    replies: z.number(),
    /** Unpublished posts: pending review, or rejected. */
    waiting: z.number(),
    rejected: z.number(),
    reported: z.number(),
  }),
})

export const clean = write('/admin/cleaning/begin', {
  summary:
    'Removes all posts of a member, settles the reports on them and ends the sessions; may also ban or disable. Can be undone as a whole.',
  input: z.object({ memberId: id, reason, andThen: z.enum(['disable', 'ban', 'nothing']).default('disable') }),
  output: progress,
  errors: [AlreadyAtIt, CleanAlready, SpeaksForStaff],
})

export const undoCleaning = write('/admin/cleaning/undo', {
  summary: 'Undoes a clean-up: restores exactly the posts that it removed, and lifts its ban or re-enables the member.',
  input: z.object({ cleaningId: id }),
  output: progress,
  errors: [CannotUndo, AlreadyAtIt],
})

const accountOfOther = z.string().trim().min(1).max(30)

export const mergeLook = read('/admin/member/mergeLook', {
  summary: 'Preview of a merge of two members: the items to transfer, and those that end with the account.',
  input: z.object({ memberId: id, into: accountOfOther }),
  output: z.object({
    into: z.object({ id: z.string(), account: z.string(), nickname: z.string().nullable(), posts: z.number() }),
    posts: z.number(),
    waiting: z.number(),
    notes: z.number(),
    reports: z.number(),
    bans: z.array(z.object({ from: z.enum(functions), endsAt: time.nullable() })),
    /** These two end with the account. */
    drafts: z.number(),
    roles: z.array(NameView),
  }),
  errors: [NobodyCalledSo, SameMember, GoneAlready, AlreadyAtIt, SpeaksForStaff, WasMerged],
})

export const mergeMembers = write('/admin/member/merge', {
  summary: 'Merges a member into another in the background: transfers all posts and active bans, and closes the account.',
  input: z.object({
    memberId: id,
    /** The account that closes, typed as a confirmation. */
    account: z.string().trim().max(30).default(''),
    /** The account that stays. */
    into: accountOfOther,
    reason,
  }),
  output: nothing,
  errors: [NotItsName, NobodyCalledSo, SameMember, GoneAlready, AlreadyAtIt, SpeaksForStaff, WasMerged],
})
