import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import type { AuthorView } from '#user/contract.ts'
import * as user from '#user/server/user.ts'

type CommentRef = { topicId: string; commentId: string }
type Excerpt = { author: AuthorView; text: string; aiLabel: AiLabelView }

/** The beginning of a published comment, for display outside its thread. */
export async function excerpt(db: Db, viewer: Viewer, { topicId, commentId }: CommentRef): Promise<Excerpt> {
  await posts.findThread(db, viewer, topicId)
  addCacheTags([`topic:${topicId}`])
  const comment = await db
    .selectFrom('comment')
    .select(['author_id', 'text', 'ai_label'])
    .where('id', '=', commentId)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  const author = comment && (await user.authors(db, [comment.author_id])).get(comment.author_id)
  if (!author) throw Missing()
  return { author, text: comment.text, aiLabel: aiLabel.visibleLabel(await setting.all(db), comment.ai_label) }
}
