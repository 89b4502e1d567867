import { z } from 'zod'
import { TermsFirst } from '#account/contract.ts'
import { refusal } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { documentOf } from '#base/rich-text/check-document.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { ground, PictureGone } from '#file/contract.ts'
import { HiddenView, hidingRefusals } from '#hidden-part/contract.ts'
import { verifyRefusals } from '#real-name/contract.ts'
import { NameView } from '#role/contract.ts'
import { WordsInText, WordsInTitle } from '#sensitive-word/contract.ts'

export const PictureNotYours = refusal('writing.pictureNotYours', { field: 'body' })
export const TooManyPictures = refusal('writing.tooManyPictures', { field: 'body' })
export const FileNotYours = refusal('writing.fileNotYours', { field: 'body' })
export const TooManyFiles = refusal('writing.tooManyFiles', { field: 'body' })
export const TooManyMentions = refusal('writing.tooManyMentions', { field: 'body' })
export const NobodyMentioned = refusal('writing.nobodyMentioned', { field: 'body' })

export const TooShort = refusal('writing.tooShort', { field: 'body' })
export const TooLong = refusal('writing.tooLong', { field: 'body' })
export const TitleTooShort = refusal('writing.titleTooShort', { field: 'title' })
export const TitleTooLong = refusal('writing.titleTooLong', { field: 'title' })
export const TooManyLinksYet = refusal('writing.tooManyLinksYet', { field: 'body' })
export const TooManyPicturesYet = refusal('writing.tooManyPicturesYet', { field: 'body' })
export const TooSoon = refusal('writing.tooSoon', { status: 429, field: 'body' })
export const SaidAlready = refusal('writing.saidAlready', { field: 'body' })

/** A moderator must give a reason to change or remove another author's post. */
export const ReasonNeeded = refusal('writing.reasonNeeded', { field: 'reason' })
export const moderatorReason = { reason: plainString.max(300).default('') }
/** The former version may be withheld from members. */
export const moderatorEdit = { ...moderatorReason, withholds: z.boolean().default(false) }

/** The refusals for the content of a post. */
export const writingRefusals = [
  TermsFirst,
  ...verifyRefusals,
  PictureNotYours,
  FileNotYours,
  PictureGone,
  TooManyPictures,
  TooManyFiles,
  TooManyMentions,
  NobodyMentioned,
  TooShort,
  TooLong,
  TooManyLinksYet,
  TooManyPicturesYet,
  WordsInText,
  ...hidingRefusals,
]
export const titleRefusals = [TitleTooShort, TitleTooLong, WordsInTitle]
/** The refusals for rate limits and duplicates. */
export const paceRefusals = [TooSoon, SaidAlready]
export const editRefusals = [...writingRefusals, SaidAlready, ReasonNeeded]

export const longest = { topic: 50_000, comment: 20_000, reply: 2_000 } as const

export const topicDocument = documentOf({ maxText: longest.topic, hides: true })
export const commentDocument = documentOf({ maxText: longest.comment })
/** Paragraphs, pictures, links and mentions only, since replies are short. */
export const replyDocument = documentOf({ maxText: longest.reply, isPlain: true })

/** The limits for a new member; null for all others. */
export const NewcomerView = z
  .object({ links: z.number(), pictures: z.number(), secondsBetweenTopics: z.number(), secondsBetweenComments: z.number() })
  .nullable()
export type NewcomerView = z.infer<typeof NewcomerView>

/** The review state of a post of one's own: pending, or rejected with a reason; null for neither. */
export const WaitingView = z.object({ rejected: NameView.nullable() }).nullable()
export type WaitingView = z.infer<typeof WaitingView>

/** The source of a post, for its editor. */
export const DocumentView = z.custom<Doc>()
export const SegmentView = z.object({ html: z.string(), hidden: HiddenView.optional() })
export const PictureView = z.object({
  src: z.string(),
  width: z.number(),
  height: z.number(),
  ground: ground.optional(),
})
export type PictureView = z.infer<typeof PictureView>
