import { sql, type AliasableExpression, type NotNull } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import type { memberComments, memberReplies } from '#comment/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

// As deep as the list of topics goes.
const deepestPage = 400

type Asked = { userId?: string | undefined; page: number }

// What is published is written out, for only so does a plan that serves every question know the index of what was not deleted.

/** What a member commented, newest first, under topics that this viewer may read. */
export async function comments(db: Db, viewer: Viewer, asked: Asked): Promise<Output<typeof memberComments>> {
  const author = await user.whoseActivity(db, viewer, asked.userId)
  const query = db
    .selectFrom('comment')
    .innerJoin('topic', 'topic.id', 'comment.topic_id')
    .where('comment.author_id', '=', author.id)
    .where(sql<boolean>`comment.status = 'published'`)
    .where('topic.status', '=', 'published')
    .where(tag.seenBy(viewer))
  const pages = await pagesOf(db, asked.page, (limit) => query.select('comment.id').limit(limit))
  const rows = await query
    .select([
      'comment.id as commentId',
      'comment.topic_id as topicId',
      'topic.title as topicTitle',
      'comment.floor',
      'comment.text',
      'comment.published_at',
    ])
    .orderBy('comment.published_at', 'desc')
    .orderBy('comment.id', 'desc')
    .limit(pages.perPage)
    .offset(pages.offset)
    .$narrowType<{ floor: NotNull }>()
    .execute()
  return {
    ...pages.view,
    user: author,
    comments: rows.map(({ published_at, ...row }) => ({ ...row, publishedAt: published_at.toISOString() })),
  }
}

/** What a member replied to comments, in the same way. */
export async function replies(db: Db, viewer: Viewer, asked: Asked): Promise<Output<typeof memberReplies>> {
  const author = await user.whoseActivity(db, viewer, asked.userId)
  const query = db
    .selectFrom('reply')
    .innerJoin('comment', 'comment.id', 'reply.comment_id')
    .innerJoin('topic', 'topic.id', 'reply.topic_id')
    .where('reply.author_id', '=', author.id)
    .where(sql<boolean>`reply.status = 'published'`)
    .where('topic.status', '=', 'published')
    .where(tag.seenBy(viewer))
  const pages = await pagesOf(db, asked.page, (limit) => query.select('reply.id').limit(limit))
  const rows = await query
    .select([
      'reply.id as replyId',
      'reply.comment_id as commentId',
      'reply.topic_id as topicId',
      'topic.title as topicTitle',
      'comment.floor',
    ])
    .select(['reply.text', 'reply.published_at'])
    .orderBy('reply.published_at', 'desc')
    .orderBy('reply.id', 'desc')
    .limit(pages.perPage)
    .offset(pages.offset)
    .$narrowType<{ floor: NotNull }>()
    .execute()
  return {
    ...pages.view,
    user: author,
    replies: rows.map(({ published_at, ...row }) => ({ ...row, publishedAt: published_at.toISOString() })),
  }
}

type Ids = (limit: number) => AliasableExpression<{ id: string }>

// The count stops where the pages do, so it costs no more for those who wrote ten times as much.
async function pagesOf(db: Db, page: number, ids: Ids) {
  const { commentsPerPage: perPage } = await setting.all(db)
  const { count } = await db
    .selectFrom(ids(deepestPage * perPage).as('shown'))
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const total = Number(count)
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page > pages) throw Missing()
  return { perPage, offset: (page - 1) * perPage, view: { total, page, pages } }
}
