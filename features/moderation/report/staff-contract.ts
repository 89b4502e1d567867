import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { plainString, typedString } from '#base/plain-text.ts'
import { id, nothing, read, time, write } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { fileId } from '#file/contract.ts'
import {
  AppealView,
  ChangedBy,
  Claimed,
  DecidedAlready,
  ForAnother,
  GoneAlready,
  maxLength,
  MoreCameIn,
  status,
  statuses,
  TakenBackView,
  ThingView,
  WhyNeeded,
} from '#report/contract.ts'
import { NameView } from '#role/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { kinds, postNames } from '#kind/contract.ts'
import { SegmentView } from '#writing/contract.ts'

/** A required text. */
export const needed = plainString.min(1).max(maxLength.result)
/** The version of the item as it was read. */
export const version = z.int().min(1)

/** The current claim of a post. */
const ClaimView = z.object({ staffId: z.string(), account: z.string(), until: time, isMine: z.boolean() })
const claim = field.labelled('claimed', field.other(ClaimView.nullable()))
const state = field.defaultChoice(['open', 'decided', 'all'])
const post = { thing: field.other(ThingView), author: field.other(AuthorView) }
/** An account or a nickname. */
const name = typedString.trim().max(30).optional()

export const caseList = staffList('/admin/report/list', {
  summary: 'Reported posts, each with all reports on it as one case.',
  words: 'reportAdmin',
  columns: {
    openedAt: field.labelled('opened', field.time),
    ...post,
    reports: field.labelled('count', field.number),
    categories: field.labelled('category', field.other(z.array(NameView))),
    statuses: field.labelled('status', field.other(z.array(status))),
    claim,
  },
  values: {
    outcome: z.enum(['failed', 'succeeded']).nullable(),
    /** False for the author and for reporters. */
    mayDecide: z.boolean(),
    /** Sent back with a decision, which is refused when the version has changed. */
    version: z.number(),
  },
  filters: {
    state,
    status: field.choice(statuses),
    categoryId: field.typed(id.optional()),
    kind: field.choice(postNames),
    claimed: field.choice(['nobody', 'mine', 'others'], (by) => ({ nobody: 'byNobody', mine: 'byMe', others: 'byOthers' })[by]),
    reporter: { ...field.person, filter: name },
    author: { ...field.person, filter: name },
    /** Only cases with reports that staff deleted. */
    deleted: field.typed(z.boolean().default(false)),
  },
  sorts: { opened: 'openedAt', reports: 'reports' },
  order: 'asc',
})

const ReportView = z.object({
  id: z.string(),
  /** Not shown to the author. */
  reporter: AuthorView.nullable(),
  /** Counts of the reporter's earlier decided reports, and of those upheld. */
  record: z.object({ decided: z.number(), succeeded: z.number() }).nullable(),
  category: NameView,
  reason: z.string(),
  pictures: z.array(z.string()),
  status,
  asked: z.string(),
  reportedAt: time,
  isDeletedByUser: z.boolean(),
  isDeletedByStaff: z.boolean(),
})

export const caseView = read('/admin/report/view', {
  summary: 'A reported post with its context and all reports on it.',
  input: z.object({ caseId: id }),
  output: caseList.row.extend({
    /** As it is now, even if deleted. */
    now: z.object({
      /** Title of the topic. */ title: z.string(),
      segments: z.array(SegmentView),
      publishedAt: time,
      editedAt: time.nullable(),
      status: z.enum(['pending', 'published', 'deleted']),
      deletedBy: z.enum(['author', 'staff']).nullable(),
    }),
    /** The topic, and the parent comment of a reply. */
    context: z.array(z.object({ kind: z.enum(kinds), id: z.string(), author: AuthorView, text: z.string(), at: time })),
    list: z.array(ReportView),
    result: z.string(),
    remark: z.string(),
    decidedBy: z.string().nullable(),
    decidedAt: time.nullable(),
    /** Earlier reports on posts of this author, and those upheld. */
    authorRecord: z.object({ decided: z.number(), succeeded: z.number() }),
    removalId: z.string().nullable(),
    /** A decided appeal against it has to be reversed first. */
    isAppealDecided: z.boolean(),
    /** Whether the decision can still be reversed, by this actor. */
    canTakeBack: z.boolean(),
    takenBack: TakenBackView,
  }),
})

export const reportPicture = read('/admin/report/picture', {
  summary: 'A picture of a report as a data URL. Report pictures have no public address.',
  input: z.object({ reportId: id, file: fileId }),
  output: z.object({ src: z.string() }),
})

const ofCase = { input: z.object({ caseId: id }), output: nothing }

export const claimCase = write('/admin/report/claim', {
  summary: 'Claims the case of a reported post for ten minutes.',
  ...ofCase,
  errors: [Claimed, OwnCase, DecidedAlready],
})

export const releaseCase = write('/admin/report/release', { summary: 'Releases the claim on the case of a post.', ...ofCase })

export const askForReason = write('/admin/report/ask', {
  summary: 'Asks a reporter for more information.',
  input: z.object({ reportId: id, version, question: needed }),
  output: nothing,
  errors: [Claimed, OwnCase, ChangedBy, MoreCameIn, DecidedAlready],
})

export const decideCase = write('/admin/report/decide', {
  summary: 'Decides all reports on a post at once, and optionally removes the post.',
  input: refuseUnused(
    z.object({
      caseId: id,
      version,
      outcome: z.enum(['failed', 'succeeded']),
      /** Shown to the reporters. */
      result: plainString.max(maxLength.result).default(''),
      /** Shown to staff only. */
      remark: plainString.max(maxLength.result).default(''),
      removes: z.boolean().default(false),
      /** Shown to the author. */ why: plainString.max(maxLength.result).default(''),
    }),
    { why: ({ removes }) => removes },
  ).refine(({ removes, outcome }) => !removes || outcome === 'succeeded', {
    path: ['removes'],
    params: { code: 'report.removesOnlyRight' },
  }),
  output: nothing,
  errors: [Claimed, OwnCase, ChangedBy, MoreCameIn, DecidedAlready, WhyNeeded, GoneAlready],
})

export const removeReport = write('/admin/report/remove', {
  summary: 'Deletes one report. The reporter sees that staff deleted it.',
  input: z.object({ reportId: id, reason: plainString.max(200).default('') }),
  output: nothing,
  errors: [Claimed, OwnCase],
})

export const restoreReport = write('/admin/report/restore', {
  summary: 'Restores a report that staff deleted.',
  input: z.object({ reportId: id }),
  output: nothing,
  errors: [Claimed, OwnCase],
})

export const appealList = staffList('/admin/appeal/list', {
  summary: 'Appeals by authors against the removal of posts.',
  words: 'reportAdmin',
  columns: {
    appeal: field.labelled('appealedAt', field.other(AppealView)),
    ...post,
    /** An account; empty for a removal by a moderator in the forum. */
    removedBy: field.text,
    outcome: field.composed,
    claim,
  },
  values: {
    /** The case it was removed for, if any. */
    caseId: z.string().nullable(),
    why: z.string(),
    removedByMember: AuthorView.nullable(),
    removedAt: time,
    /** False for the author and for the actor of the removal. */
    mayDecide: z.boolean(),
    version: z.number(),
  },
  filters: { state },
  sorts: { appealed: 'appeal' },
  order: 'asc',
})

export const appealView = read('/admin/appeal/view', {
  summary: 'An appeal with the post it concerns.',
  input: z.object({ removalId: id }),
  output: appealList.row.extend({
    segments: z.array(SegmentView),
    publishedAt: time,
    isBack: z.boolean(),
    /** A restored post may be deleted by its author, held for review, or below a removed one. */
    isOnPage: z.boolean(),
    /** Whether the decision can still be reversed, by this actor. */
    canTakeBack: z.boolean(),
    takenBack: TakenBackView,
    remark: z.string(),
    answeredBy: z.string().nullable(),
    /** The texts given at the removal, to the reporters and to staff. */
    result: z.string(),
    decisionRemark: z.string(),
    reports: z.array(z.object({ category: NameView, reason: z.string() })),
  }),
})

export const claimAppeal = write('/admin/appeal/claim', {
  summary: 'Claims an appeal for ten minutes.',
  input: z.object({ removalId: id }),
  output: nothing,
  errors: [Claimed, ForAnother, OwnCase, DecidedAlready],
})

export const decideAppeal = write('/admin/appeal/decide', {
  summary: 'Restores the post or confirms its removal. Not available to the account that removed it, unless there is no other.',
  input: z.object({
    removalId: id,
    version,
    outcome: z.enum(['restored', 'confirmed']),
    answer: needed,
    remark: plainString.max(maxLength.result).default(''),
  }),
  output: nothing,
  errors: [Claimed, ForAnother, OwnCase, DecidedAlready, ChangedBy],
})

export const noteReportExport = exportOf('/admin/report/export')
export const noteAppealExport = exportOf('/admin/appeal/export')
