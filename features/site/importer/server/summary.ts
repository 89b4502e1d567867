import type { Db } from '#base/server/database/database.ts'

/** What an import brought, and what had no place here, with samples. */
export async function importSummary(db: Db, importId: string): Promise<string> {
  const its = await db.selectFrom('import').select(['id', 'title']).where('id', '=', importId).executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('import_row')
    .select(['kind', (row) => row.fn.countAll<string>().as('count')])
    .where('import_id', '=', its.id)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  const notes = await db.selectFrom('import_note').selectAll().where('import_id', '=', its.id).orderBy('count', 'desc').execute()
  const shown = new Set(['member', 'guest', 'tag', 'thread', 'comment', 'reply', 'file', 'message'])
  return [
    `${its.title} is here:`,
    ...rows.flatMap(({ kind, count }) => (shown.has(kind) ? [`  ${kind.padEnd(10)} ${count.padStart(10)}`] : [])),
    ...(notes.length > 0 ? ['', 'What had no place, or changed on the way:'] : []),
    ...notes.map(({ note, count, samples }) => `  ${note}: ${count}, such as ${samples.slice(0, 3).join(' | ')}`),
  ].join('\n')
}
