import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { kinds } from '#kind/contract.ts'
import { PostView } from '#notification/contract.ts'
import { Banned } from '#role/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { AuthorView } from '#user/contract.ts'

/** Members cannot like their own posts. */
export const OwnPost = refusal('like.ownPost')

const post = z.object({ kind: z.enum(kinds), id })
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

export const addLike = write('/like/add', {
  summary: 'Likes a post. Idempotent; the like count is updated some seconds later.',
  input: post,
  output: nothing,
  errors: [FunctionClosed, Banned, OwnPost],
})

export const removeLike = write('/like/remove', {
  summary: 'Removes the member’s like of a post.',
  input: post,
  output: nothing,
})

export const likers = read('/like/members', {
  summary: 'Members who like a post, newest first.',
  input: post.extend({ page: page.default(1) }),
  output: z.object({ members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })), ...Pages }),
})

export const myLikes = read('/user/control/likeList', {
  summary: 'Posts that the member likes, newest first.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    likes: z.array(
      z.object({
        kind: z.enum(kinds),
        id: z.string(),
        /** Null if it was removed or is no longer visible to the member. */
        post: PostView.extend({ author: AuthorView }).nullable(),
        at: z.iso.datetime(),
      }),
    ),
    ...Pages,
  }),
})
export type MyLike = z.infer<typeof myLikes.output>['likes'][number]

export const likesOfTopic = read('/user/control/topicLikeList', {
  summary: 'Members who like one of the member’s topics or questions, newest first.',
  input: z.object({ topicId: id, page: page.default(1) }),
  output: likers.output.extend({ topic: PostView.pick({ id: true, thread: true, title: true }) }),
})
