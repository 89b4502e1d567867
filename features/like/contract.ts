import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { kinds } from '#kind/contract.ts'
import { PostView } from '#notice/contract.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'

/** Nobody likes their own. */
export const OwnPost = refusal('like.ownPost')

const post = z.object({ kind: z.enum(kinds), id })
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const addLike = write('/like/add', {
  does: 'Likes a post; what I like already, I like still. Its count knows of it some seconds later.',
  takes: post,
  gives: nothing,
  refuses: [FunctionClosed, Banned, OwnPost],
})

export const removeLike = write('/like/remove', {
  does: 'Takes my like of a post back.',
  takes: post,
  gives: nothing,
})

export const likers = read('/like/members', {
  does: 'Who likes a post, newest first.',
  takes: post.extend({ page: page.default(1) }),
  gives: z.object({ members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })), ...Pages }),
})

export const myLikes = read('/user/control/likeList', {
  does: 'What I like, newest first.',
  takes: z.object({ page: page.default(1) }),
  gives: z.object({
    likes: z.array(
      z.object({
        kind: z.enum(kinds),
        id: z.string(),
        /** Null where it is gone, or no longer for me to see. */
        post: PostView.extend({ author: AuthorView }).nullable(),
        at: z.iso.datetime(),
      }),
    ),
    ...Pages,
  }),
})
export type MyLike = z.infer<typeof myLikes.gives>['likes'][number]

export const likesOfTopic = read('/user/control/topicLikeList', {
  does: 'Who likes a topic or a question of mine, newest first.',
  takes: z.object({ topicId: id, page: page.default(1) }),
  gives: likers.gives.extend({ topic: PostView.pick({ id: true, thread: true, title: true }) }),
})
