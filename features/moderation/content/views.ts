import { z } from 'zod'
import { AiLabelView } from '#ai-label/contract.ts'
import { auditLog, CalledView } from '#audit/contract.ts'
import { PlaceView } from '#tag/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { SegmentView } from '#writing/contract.ts'

export const states = ['published', 'pending', 'rejected', 'deletedByAuthor', 'deletedByStaff'] as const
export const marks = ['pinned', 'featured', 'closed', 'sunk', 'asks', 'resolved', 'withdrawn'] as const
/** The bulk actions, by their names in the audit log. */
export const bulkActionNames = [
  'topic.remove',
  'topic.restore',
  'topic.move',
  'topic.feature',
  'topic.unfeature',
  'topic.unpin',
  'topic.sink',
  'topic.raise',
  'topic.close',
  'topic.open',
  'topic.ask',
  'topic.tell',
  'topic.labelAi',
  'topic.unlabelAi',
  'comment.remove',
  'comment.restore',
  'comment.adopt',
  'comment.unadopt',
  'comment.labelAi',
  'comment.unlabelAi',
  'reply.remove',
  'reply.restore',
  'reply.labelAi',
  'reply.unlabelAi',
] as const
export type BulkActionName = (typeof bulkActionNames)[number]
/** The right that each requires. */
export const rightOf: Readonly<Record<BulkActionName, 'content.edit' | 'content.remove' | 'question.adopt'>> = {
  'topic.remove': 'content.remove',
  'topic.restore': 'content.remove',
  'topic.move': 'content.edit',
  'topic.feature': 'content.edit',
  'topic.unfeature': 'content.edit',
  'topic.unpin': 'content.edit',
  'topic.sink': 'content.edit',
  'topic.raise': 'content.edit',
  'topic.close': 'content.edit',
  'topic.open': 'content.edit',
  'topic.ask': 'content.edit',
  'topic.tell': 'content.edit',
  'topic.labelAi': 'content.edit',
  'topic.unlabelAi': 'content.edit',
  'comment.remove': 'content.remove',
  'comment.restore': 'content.remove',
  'comment.adopt': 'question.adopt',
  'comment.unadopt': 'question.adopt',
  'comment.labelAi': 'content.edit',
  'comment.unlabelAi': 'content.edit',
  'reply.remove': 'content.remove',
  'reply.restore': 'content.remove',
  'reply.labelAi': 'content.edit',
  'reply.unlabelAi': 'content.edit',
}

export const State = z.enum(states)
export type State = z.infer<typeof State>

export const standings = ['shown', 'withheld', 'neverShown'] as const

export const Version = z.object({
  id: z.string(),
  /** Whether members may read it: not if staff withhold it, or if it was never published. */
  standing: z.enum(standings),
  title: z.string().nullable(),
  /** The further tags of the question at that time. */
  tags: z.array(PlaceView),
  segments: z.array(SegmentView),
  writtenAt: z.iso.datetime(),
  writtenBy: AuthorView.nullable(),
})

export const Post = {
  id: z.string(),
  author: AuthorView,
  state: State,
  reason: z.string().nullable(),
  deletedAt: z.iso.datetime().nullable(),
  publishedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  editedBy: AuthorView.nullable(),
  /** Sent back with an edit, which is refused if it is outdated. */
  version: z.number(),
  aiLabel: AiLabelView,
  segments: z.array(SegmentView),
}

const ReplyPost = z.object({ ...Post, isPurged: z.boolean(), answers: z.string().nullable() })
export const CommentPost = z.object({
  ...Post,
  isPurged: z.boolean(),
  /** The present place of the comment that was here; without a comment id, it is the opening of that topic. */
  movedTo: z.object({ topicId: z.string(), commentId: z.string().nullable(), title: z.string() }).nullable(),
  floor: z.number(),
  /** Whether it is the accepted answer; null if the thread is not a question. */
  isBest: z.boolean().nullable(),
  quotes: z.object({ floor: z.number(), text: z.string() }).nullable(),
  replies: z.array(ReplyPost),
  /** The number of replies in any state; the first hundred are listed. */
  replyTotal: z.number(),
})

/** An action of staff or of a moderator on a post. */
export const Action = auditLog.row.pick({ id: true, at: true, account: true, action: true, reason: true }).extend({
  by: CalledView.nullable(),
})
