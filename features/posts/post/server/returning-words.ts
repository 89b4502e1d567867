import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { Post } from '#post/server/lock.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'

/** Refuses a post that its author has just brought back, with words that were forbidden meanwhile. Staff are exempt, as when they write. */
export async function refuseForbiddenSince(
  tx: Db,
  member: Member,
  { kind, id, thread }: Pick<Post, 'kind' | 'id' | 'thread'>,
): Promise<void> {
  if (member.staff) return
  const row = await tx.selectFrom(kind).select('body').where('id', '=', id).executeTakeFirstOrThrow()
  const body = row.body as Doc
  const document = kind === 'topic' ? await hiddenPart.restore(tx, member, { topicId: id, body, tagId: thread.tagId }) : body
  await sensitiveWord.refuseInReturning(tx, { title: kind === 'topic' ? thread.title : null, document })
}
