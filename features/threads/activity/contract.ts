import { z } from 'zod'
import { id, cursor, read } from '#base/contract.ts'
import { PostView } from '#notification/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

export const WrittenView = PostView.extend({ at: z.iso.datetime() })
export type WrittenView = z.infer<typeof WrittenView>

export const BestView = WrittenView.extend({ likes: z.number() })
export type BestView = z.infer<typeof BestView>

export const userDynamicList = read('/user/control/userDynamicList', {
  summary: 'Posts of all kinds by the member, or by another member with public activity, limited to visible ones; newest first.',
  input: z.object({ userId: id.optional(), before: cursor.optional() }),
  output: z.object({
    user: AuthorView,
    posts: z.array(WrittenView),
    /** The cursor of the next page; null on the last. */
    next: z.string().nullable(),
  }),
  errors: [ActivityHidden],
})

export const best = read('/user/control/best', {
  summary: 'The most liked of the latest threads and answers by the member, or by another with public activity, limited to visible ones.',
  input: z.object({ userId: id.optional() }),
  output: z.object({ posts: z.array(BestView) }),
  errors: [ActivityHidden],
})
