import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { makeAll, NotScalable } from '#file/server/rendition.ts'
import type { Storage } from '#file/server/storage-types.ts'

const batch = 20
const budgetMs = 50_000

/** Generates the renditions of used pictures, one picture after another, until none is left or the time is up. */
export async function renderAll(database: Database, storage: Storage, log: Log): Promise<number> {
  const end = Date.now() + budgetMs
  let rendered = 0
  while (Date.now() < end) {
    const pictures = await unrendered(database)
    for (const { id, width, height } of pictures) {
      if (Date.now() >= end) return rendered
      await render(database, storage, log, { id, width: width ?? 1, height: height ?? 1 })
      rendered++
    }
    if (pictures.length < batch) break
  }
  return rendered
}

function unrendered({ app }: Database) {
  return app
    .selectFrom('file')
    .select(['id', 'width', 'height'])
    .where('kind', '=', 'picture')
    .where('rendered_at', 'is', null)
    .where('unused_since', 'is', null)
    .orderBy('made_at')
    .limit(batch)
    .execute()
}

type Unrendered = { id: string; width: number; height: number }

// A picture that fails is marked as done, so that it does not block others: its original is served. An unavailable storage is retried.
async function render(database: Database, storage: Storage, log: Log, { id, ...size }: Unrendered): Promise<void> {
  try {
    await makeAll(storage, id, size)
  } catch (error) {
    if (!(error instanceof NotScalable)) throw error
    log.warn({ err: error, file: id }, 'A picture could not be made smaller')
  }
  await transact(database, async (tx) => {
    await tx
      .updateTable('file')
      .set({ rendered_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    invalidate(tx, `file:${id}`)
  })
}
