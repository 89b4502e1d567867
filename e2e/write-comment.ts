import * as comment from '#comment/server/comment.ts'
import { says } from '#writing/testing/factories.ts'
import type { Site } from './site.ts'

/** A member's comment, which awaits review where comments are reviewed. */
export async function writeComment(site: Site, text: string): Promise<void> {
  const topicId = await site.topic('一条 SQL')
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  const author = { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  await site.write(async (tx) => void (await comment.add(tx, author, { kind: 'comment', under: topicId, body: says(text) })))
}
