import { z } from 'zod'
import { id, place, read } from '#base/contract.ts'
import { PostView } from '#notice/contract.ts'
import { ActivityHidden, AuthorView } from '#user/contract.ts'

export const WrittenView = PostView.extend({ at: z.iso.datetime() })
export type WrittenView = z.infer<typeof WrittenView>

export const BestView = WrittenView.extend({ likes: z.number() })
export type BestView = z.infer<typeof BestView>

export const userDynamicList = read('/user/control/userDynamicList', {
  does: 'What I wrote, posts of every kind in one list, newest first; or what a member wrote who shows their activity, where I may look.',
  takes: z.object({ userId: id.optional(), before: place.optional() }),
  gives: z.object({
    user: AuthorView,
    posts: z.array(WrittenView),
    /** Where the next page goes on; null on the last. */
    next: z.string().nullable(),
  }),
  refuses: [ActivityHidden],
})

export const best = read('/user/control/best', {
  does: 'What is liked most of the latest that I opened and answered, or that a member did who shows their activity, where I may look. A few.',
  takes: z.object({ userId: id.optional() }),
  gives: z.object({ posts: z.array(BestView) }),
  refuses: [ActivityHidden],
})
