import { sql } from 'kysely'
import { invalidateNow } from '#base/testing/database.ts'
import { aForum, renderedFrontend, type Forum } from '#base/testing/forum.ts'
import { checkImport } from '#importer/server/check.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import { importsTag } from '#importer/server/old-address.ts'
import { withOwner } from '#importer/server/owner.ts'
import { importerOf, type SourceOptions } from '#importer/server/programs.ts'
import { runImport } from '#importer/server/run.ts'
import { aStaffer } from '#staff/testing/factories.ts'

type Source = Pick<SourceOptions, 'from'> & Partial<SourceOptions>

/** A forum that a board moved into, from a dump or a live database. */
export async function movedIn(program: string, source: Source, choices: Partial<Mapping> = {}): Promise<Forum> {
  const forum = await aForum({ openFrontend: renderedFrontend, isOneServer: true })
  await aStaffer(forum)
  const { open, targetOf } = importerOf(program)
  const reader = await open({ files: null, password: '', prefix: undefined, charset: undefined, origin: undefined, ...source })
  try {
    const { mapping } = await checkImport(forum.database, reader)
    await runImport({ ...forum, reader, targetOf, mapping: { ...mapping, ...choices }, report: () => undefined })
  } finally {
    await reader.close()
  }
  // A running server hears of it from the database.
  invalidateNow(forum.database, 'everything', 'tags', 'role', importsTag)
  return forum
}

/** The id here of what had this id there. */
export async function newIdOf({ database: { app } }: Forum, kind: string, oldId: string): Promise<string> {
  const row = await app
    .selectFrom('import_row')
    .select('new_id')
    .where('kind', '=', kind)
    .where('old_id', '=', oldId)
    .executeTakeFirstOrThrow()
  return row.new_id
}

export type WrittenComment = { thread: string; floor: number | null; status: string; text: string; author: string }

/** All comments with their threads and authors, by thread and floor. */
export async function commentsIn({ database: { app } }: Forum): Promise<WrittenComment[]> {
  const { rows } = await sql<WrittenComment>`
    select topic.title as thread, floor, comment.status, comment.text, account as author
    from comment join topic on topic.id = topic_id join member on member.id = comment.author_id order by topic.id, floor, comment.id`.execute(
    app,
  )
  return rows
}

/** Private messages, as the owner of the database reads them. */
export function messagesIn(forum: Forum): Promise<{ text: string; author_id: string }[]> {
  return withOwner(forum, ({ app }) => app.selectFrom('message').select(['text', 'author_id']).orderBy('id').execute())
}

/** How many messages each member sent and has not read. */
export function conversationsIn(forum: Forum): Promise<{ sent: number; unread: number }[]> {
  return withOwner(forum, ({ app }) => app.selectFrom('conversation_participant').select(['sent', 'unread']).orderBy('sent').execute())
}
