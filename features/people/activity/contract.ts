import { z } from 'zod'
import { id, cursor, read } from '#base/contract.ts'
import { PostView } from '#notification/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

export const WrittenView = PostView.extend({ at: z.iso.datetime() })
export type WrittenView = z.infer<typeof WrittenView>

export const BestView = WrittenView.extend({ likes: z.number() })
export type BestView = z.infer<typeof BestView>

export const userDynamicList = read('/user/control/userDynamicList', {
  summary:
    'What I wrote, posts of every kind in one list, newest first; or what a member wrote who shows their activity, where I may look.',
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
  summary:
    'What is liked most of the latest that I opened and answered, or that a member did who shows their activity, where I may look. A few.',
  input: z.object({ userId: id.optional() }),
  output: z.object({ posts: z.array(BestView) }),
  errors: [ActivityHidden],
})
