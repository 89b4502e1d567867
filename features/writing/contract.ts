import { z } from 'zod'
import { refusal } from '#base/contract.ts'
import { documentOf, type Doc } from '#base/rich-text/document.ts'
import { PictureGone } from '#file/contract.ts'

export const PictureNotYours = refusal('writing.pictureNotYours', { field: 'body' })
export const TooManyPictures = refusal('writing.tooManyPictures', { field: 'body' })
export const FileNotYours = refusal('writing.fileNotYours', { field: 'body' })
export const TooManyFiles = refusal('writing.tooManyFiles', { field: 'body' })
export const TooManyMentions = refusal('writing.tooManyMentions', { field: 'body' })
export const NobodyMentioned = refusal('writing.nobodyMentioned', { field: 'body' })

/** How a post may be refused for what is in it. */
export const writingRefusals = [PictureNotYours, FileNotYours, PictureGone, TooManyPictures, TooManyFiles, TooManyMentions, NobodyMentioned]

export const longest = { topic: 50_000, comment: 20_000, reply: 2_000 } as const

export const topicDocument = documentOf({ maxText: longest.topic })
export const commentDocument = documentOf({ maxText: longest.comment })
/** Paragraphs, pictures, links and mentions: a reply is a remark, not an essay. */
export const replyDocument = documentOf({ maxText: longest.reply, isPlain: true })

/** A post as it was written, for its editor. */
export const DocumentView = z.custom<Doc>()
/** A piece of a post as it goes on the page. */
export const SegmentView = z.object({ html: z.string() })
export const PictureView = z.object({ src: z.string(), width: z.number(), height: z.number() })
export type PictureView = z.infer<typeof PictureView>
