import type { z } from 'zod'
import { fieldsOf } from '#base/post-part.ts'
import { byFeature } from '#features/lists/post-parts.ts'

const parts = Object.values(byFeature)

/** The fields that features add to the views of posts, and to a member's own state of a thread. */
export const commentFields = fieldsOf(parts, 'comment')
export const replyFields = fieldsOf(parts, 'reply')
export const mineFields = fieldsOf(parts, 'mine')

type ValuesOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>
export type CommentFields = ValuesOf<typeof commentFields>
export type ReplyFields = ValuesOf<typeof replyFields>
export type MineFields = ValuesOf<typeof mineFields>
