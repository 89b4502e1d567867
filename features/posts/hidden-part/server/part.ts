import type { Doc, Lock } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'

/** The place of parts: the opening post of a topic, or a comment that once opened one. */
export type PostRef = { topicId: string; commentId?: string | undefined }

/** A part that was cut out of a document; without a document it is unchanged. */
export type Part = {
  id: string
  lock: Lock
  /** The points that a level needs, or the price in points or cents. */
  needs: string | null
  passwordHash: string | null
  document: Doc | null
  segments: Segment[]
  fileIds: string[]
}

/** The parts of a post: as given, or those of a waiting edit once staff approve it. */
export type Parts = readonly Part[] | 'waiting'

/** The public properties of a part. */
export type PartOutline = { lock: Lock; needs: string | null }
