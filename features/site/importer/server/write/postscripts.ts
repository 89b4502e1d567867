import { toSegments } from '#base/rich-text/to-html.ts'
import { insertRows, type Db } from '#base/server/database/database.ts'
import type { SourceThread } from '#importer/server/source.ts'
import { filesIn, noteAll, resolved, type References } from '#importer/server/write/documents.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { attachFiles } from '#importer/server/write/posts.ts'

type Row = { id: string; authorId: string; thread: SourceThread; /** Of its postscripts, too. */ references: References }

/** What askers added to their questions later. It has no hidden parts here: one would be public, so it is left out. */
export async function writePostscripts(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  for (const { id, authorId, thread, references } of rows) {
    const postscripts = (thread.kind === 'question' && thread.postscripts) || []
    for (const [index, { body, at, removal }] of postscripts.entries()) {
      const { content } = resolved(context, { body, fileIds: [] }, references)
      const shown = content.filter(({ type }) => type !== 'hidden')
      if (shown.length < content.length) context.note('hidden part of a postscript', thread.title)
      if (shown.length === 0) continue
      noteAll(context, body, thread.title)
      const document = { type: 'doc' as const, content: shown }
      const row = {
        topic_id: id,
        number: index + 1,
        body: document as never,
        segments: toSegments(document, references) as never,
        written_at: at,
        removed_at: removal?.at ?? null,
        removed_reason: removal?.reason ?? null,
      }
      await insertRows(tx, 'postscript', [row]).execute()
      await attachFiles(tx, [{ topicId: id, commentId: null, replyId: null, authorId, fileIds: filesIn(document) }])
    }
  }
}
