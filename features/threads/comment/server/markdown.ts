import * as aiLabel from '#ai-label/server/ai-label.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { markdownOf } from '#base/server/long-text.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { commentMarkdown } from '#comment/contract.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

export async function markdown(
  db: Db,
  viewer: Viewer,
  { topicId, commentId }: ParsedInput<typeof commentMarkdown>,
): Promise<{ markdown: string }> {
  await posts.findThread(db, viewer, topicId)
  const comment = await db
    .selectFrom('comment')
    .select(['body', 'ai_label'])
    .where('id', '=', commentId)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  if (!comment) throw Missing()
  const label = aiLabel.asBlocks(aiLabel.visibleLabel(await setting.all(db), comment.ai_label))
  const { content } = comment.body as Doc
  return { markdown: await markdownOf(hiddenPart.withTextPlaceholders({ type: 'doc', content: [...label, ...content] })) }
}
