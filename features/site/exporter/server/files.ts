import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { exported, isExported, type Exported } from '#exporter/server/exported.ts'
import * as file from '#file/server/file.ts'
import { fileNameOf, filesFolder, linesOf, rowSchemas, type SecretName, type StoredForm } from '#importer/server/importer.ts'

type StoredFile = StoredForm & { id: string; owner_id: string | null; name: string | null }

/**
 * Files that the exported texts show. What only an earlier version, a hidden part or a message shows is as secret as that, whatever a use of it
 * says of the post.
 */
export function files(secrets: ReadonlySet<SecretName>): Exported<'files'> {
  const uses = [
    sql`part_id is null and reply_id is not null and exists (select from reply where reply.id = reply_id and ${shows('reply.body')})`,
    sql`part_id is null and reply_id is null and comment_id is not null
      and exists (select from comment where comment.id = comment_id and ${shows('comment.body')})`,
    sql`part_id is null and comment_id is null and exists (select from topic where topic.id = topic_id and ${shows('topic.body')})`,
    sql`part_id is null and comment_id is null
      and exists (select from postscript where postscript.topic_id = file_use.topic_id and ${shows('postscript.body')})`,
    ...(secrets.has('hidden')
      ? [sql`exists (select from hidden.part where part.id = part_id and position is not null and file_id = any(part.file_ids))`]
      : []),
    ...(secrets.has('messages') ? [sql`exists (select from message where message.id = message_id and ${shows('message.body')})`] : []),
  ]
  const query = sql<StoredFile>`
    select id, owner_id, name, kind, type, width, height, moves, ground from file
    where kind in ('picture', 'attachment') and exists (
      select from file_use where file_id = file.id and (topic_id is null or ${isExported('file_use.topic_id')})
        and (${sql.join(uses, sql` or `)})) order by id`
  return exported({
    query,
    from: ({ id, owner_id: ownerId, name, ...form }) => ({ id, ownerId, path: pathOf(id), name: name ?? '', form }),
  })
}

const shows = (body: string) => sql`strpos(${sql.ref(body)}::text, file_id) > 0`

export function pathOf(id: string): string {
  return `${filesFolder}/${id}`
}

type Copied = { copied: number; /** Of these, those that are missing in this forum: they are empty. */ missing: number }

/** Copies the files that the rows name. */
export async function copyFiles(db: Db, folder: string, report: (done: number) => void): Promise<Copied> {
  await mkdir(join(folder, filesFolder), { mode: 0o700 })
  let [copied, missing] = [0, 0]
  for await (const { id, kind, type } of filesIn(folder)) {
    const content = await file.contentOf(db, { id, kind, type })
    if (!content) missing++
    await pipeline(
      content?.stream ?? Readable.from([]),
      createWriteStream(join(folder, pathOf(id)), { flags: 'wx', mode: 0o600, flush: true }),
    )
    report(++copied)
  }
  return { copied, missing }
}

async function* filesIn(folder: string): AsyncGenerator<{ id: string; kind: string; type: string }> {
  for (const kind of ['files', 'members'] as const)
    for await (const { text } of linesOf(join(folder, fileNameOf(kind)))) {
      const { data } = rowSchemas[kind].safeParse(JSON.parse(text))
      if (!data) continue
      if ('path' in data) yield { ...data.form, id: data.id }
      else if (data.avatar !== null && data.avatarForm) yield { ...data.avatarForm, id: data.avatar.slice(pathOf('').length) }
    }
}
