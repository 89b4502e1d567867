import { z } from 'zod'
import { CaptchaNeeded, CaptchaWrong, captchaFields } from '#captcha/contract.ts'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { fileId } from '#file/contract.ts'
import { Banned, NameView } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { kinds } from '#kind/contract.ts'
import { PostView } from '#notification/contract.ts'

export const AlreadyReported = refusal('report.already')
export const OwnPost = refusal('report.ownPost')
export const CategoryGone = refusal('report.categoryGone', { field: 'categoryId' })
export const ReasonNeeded = refusal('report.reasonNeeded', { field: 'reason' })
export const PicturesNeedReason = refusal('report.picturesNeedReason', { field: 'pictures' })
export const TooManyPictures = refusal('report.tooManyPictures', { field: 'pictures' })
export const PictureNotYours = refusal('report.pictureNotYours', { field: 'pictures' })
export const NothingAsked = refusal('report.nothingAsked')
export const AppealedAlready = refusal('report.appealedAlready')
export const BackAlready = refusal('report.backAlready')

/** Another member of staff has claimed it. */
export const Claimed = refusal('report.claimed', { status: 409 })
/** Another member of staff changed it after it was read. */
export const ChangedBy = refusal('report.changedBy', { status: 409 })
/** New reports or texts arrived after it was read. */
export const MoreCameIn = refusal('report.moreCameIn', { status: 409 })
export const DecidedAlready = refusal('report.decidedAlready', { status: 409 })
/** The decision was reversed already, or there is none. */
export const TakenBackAlready = refusal('report.takenBackAlready', { status: 409 })
/** A decided appeal against the decision has to be reversed first. */
export const AppealDecided = refusal('report.appealDecided', { status: 409 })
/** New reports wait on the post, and a post has one open case at a time. */
export const ReportsWait = refusal('report.reportsWait', { status: 409 })
/** The removal itself was reversed. */
export const RemovalTakenBack = refusal('report.removalTakenBack', { status: 409 })
export const ErasedSince = refusal('report.erasedSince')
export const ForAnother = refusal('report.forAnother', { status: 403 })
export const GoneAlready = refusal('report.goneAlready', { field: 'removes' })
export const WhyNeeded = refusal('report.whyNeeded', { field: 'why' })
export const CategoryInUse = refusal('report.categoryInUse')
export const TooDeep = refusal('report.tooDeep', { field: 'parentId' })

export const statuses = ['pending', 'needsReason', 'reasonSupplied', 'failed', 'succeeded'] as const
/** The upper limit of the setting. */
export const maxPictures = 9
export const maxLength = { reason: 1_000, result: 1_000, appeal: 2_000 } as const

const reason = plainString.max(maxLength.reason)
const pictures = z.array(fileId).max(maxPictures).default([])

const CategoryView = z.object({ id: z.string(), name: NameView, needsReason: z.boolean() })
export const CategoryGroupView = z.object({ id: z.string(), name: NameView, categories: z.array(CategoryView) })
export type CategoryGroupView = z.infer<typeof CategoryGroupView>

/** A reported post, as it was when reported. */
export const ThingView = PostView
export type ThingView = z.infer<typeof ThingView>

export const status = z.enum(statuses)

export const reportForm = read('/report/form', {
  summary: 'Categories for a report, and whether the member has an open report on this post.',
  input: z.object({ kind: z.enum(kinds), thingId: id }),
  output: z.object({
    isOpen: z.boolean(),
    isReported: z.boolean(),
    groups: z.array(CategoryGroupView),
    pictures: z.number(),
    needsCaptcha: z.boolean(),
  }),
})

export const addReport = write('/report/add', {
  summary: 'Reports a topic, a comment or a reply to staff.',
  input: z.object({ kind: z.enum(kinds), thingId: id, categoryId: id, reason: reason.default(''), pictures, ...captchaFields }),
  output: z.object({ reportId: z.string() }),
  errors: [
    FunctionClosed,
    Banned,
    AlreadyReported,
    OwnPost,
    CategoryGone,
    ReasonNeeded,
    PicturesNeedReason,
    TooManyPictures,
    PictureNotYours,
    CaptchaNeeded,
    CaptchaWrong,
  ],
})

export const supplyReason = write('/report/supply', {
  summary: 'Adds the information that staff requested to one of the member’s reports.',
  input: z.object({ reportId: id, reason: reason.min(1), pictures }),
  output: nothing,
  errors: [NothingAsked, TooManyPictures, PictureNotYours],
})

export const hideReport = write('/report/hide', {
  summary: 'Hides a report from the member’s list. Staff still decide it.',
  input: z.object({ reportId: id }),
  output: nothing,
})

const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const myReports = read('/user/control/reportList', {
  summary: 'The member’s reports with their outcomes, newest first.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    reports: z.array(
      z.object({
        id: z.string(),
        thing: ThingView,
        category: NameView,
        reason: z.string(),
        pictures: z.array(z.string()),
        status,
        /** Deleted by staff; the status stays as it was. */
        isDeletedByStaff: z.boolean(),
        asked: z.string(),
        result: z.string(),
        reportedAt: z.iso.datetime(),
        decidedAt: z.iso.datetime().nullable(),
      }),
    ),
    ...Pages,
    picturesEach: z.number(),
  }),
})

export const AppealView = z.object({
  text: z.string(),
  at: z.iso.datetime(),
  outcome: z.enum(['restored', 'confirmed']).nullable(),
  answer: z.string(),
  answeredAt: z.iso.datetime().nullable(),
})

export const myRemovals = read('/user/control/removalList', {
  summary: 'Posts of the member that staff removed, newest first, with the reasons and the outcomes of appeals.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    removals: z.array(
      z.object({
        id: z.string(),
        thing: ThingView,
        why: z.string(),
        removedAt: z.iso.datetime(),
        appeal: AppealView.nullable(),
        /** No longer removed; readers may be unable to see it all the same. */
        isBack: z.boolean(),
        isOnPage: z.boolean(),
      }),
    ),
    ...Pages,
  }),
})

export const appealRemoval = write('/report/appeal', {
  summary: 'Appeals against the removal of one of the member’s posts; once per removal. Another staff account decides it.',
  input: z.object({ removalId: id, text: plainString.min(1).max(maxLength.appeal) }),
  output: nothing,
  errors: [Banned, AppealedAlready, BackAlready],
})

/** Reversed decisions, newest first: the actor and the reason of each. */
export const TakenBackView = z.array(
  z.object({
    id: z.string(),
    outcome: z.enum(['failed', 'succeeded', 'restored', 'confirmed']),
    /** Shown to the reporters or to the author. */
    said: z.string(),
    remark: z.string(),
    decidedBy: z.string(),
    decidedAt: z.iso.datetime(),
    by: z.string(),
    at: z.iso.datetime(),
    reason: z.string(),
  }),
)
