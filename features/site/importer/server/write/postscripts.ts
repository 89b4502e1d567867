import { toSegments } from '#base/rich-text/to-html.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import type { SourceThread } from '#importer/server/source.ts'
import { filesIn, noteAll, referencesOf, resolved } from '#importer/server/write/documents.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { attachFiles } from '#importer/server/write/posts.ts'

type Row = { id: string; authorId: string; thread: SourceThread }

/** What askers added to their questions later. It has no hidden parts here: one would be public, so it is left out. */
export async function writePostscripts(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  for (const { id, authorId, thread } of rows) {
    const postscripts = (thread.kind === 'question' && thread.postscripts) || []
    for (const [index, { body, at }] of postscripts.entries()) {
      const post = { body, fileIds: [] }
      const references = await referencesOf(tx, context, [post])
      const { content } = resolved(context, post, references)
      const shown = content.filter(({ type }) => type !== 'hidden')
      if (shown.length < content.length) context.note('hidden part of a postscript', thread.title)
      if (shown.length === 0) continue
      noteAll(context, body, thread.title)
      const document = { type: 'doc' as const, content: shown }
      const segments = toSegments(document, references)
      const row = { topic_id: id, number: index + 1, body: document as never, segments: segments as never, written_at: at }
      await insertRows(tx, 'postscript', [row]).execute()
      await attachFiles(tx, [{ topicId: id, commentId: null, replyId: null, authorId, fileIds: filesIn(document) }])
    }
  }
}
