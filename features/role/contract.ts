import { z } from 'zod'

/** Rights that are held for a tag, or everywhere that is not restricted. */
export const tagRights = [
  'topic.view',
  'topic.publish',
  'topic.edit',
  'topic.remove',
  'comment.post',
  'comment.edit',
  'comment.remove',
  'reply.post',
  'reply.edit',
  'reply.remove',
  'content.edit.any',
  'content.remove.any',
  // What they write need not be looked at first, but where everybody's is.
  'topic.unreviewed',
  'comment.unreviewed',
  'reply.unreviewed',
] as const

/** Rights that have no place. */
export const plainRights = ['picture.upload', 'attachment.upload', 'avatar.change'] as const

export type Right = (typeof tagRights)[number] | (typeof plainRights)[number]

export const NameView = z.object({ zh: z.string(), en: z.string() })
export type NameView = z.infer<typeof NameView>

export const RoleView = z.object({
  id: z.string(),
  name: NameView,
  /** Null when it does not end. */
  endsAt: z.iso.datetime().nullable(),
})
