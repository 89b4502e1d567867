import type { Doc, Lock } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'

/** Where parts stand: in what opens a topic, or in a comment that once did. */
export type PostRef = { topicId: string; commentId?: string | undefined }

/** A part that was cut out of what its author wrote; without a document it stays as it is. */
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

/** What is hidden in a post: its parts; or those that wait, once staff approve them. */
export type Parts = readonly Part[] | 'waiting'

/** What may be known of a part without seeing it. */
export type Known = { lock: Lock; needs: string | null }
