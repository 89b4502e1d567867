import { sql } from 'kysely'
import { transact, type Db } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'

const maxPending = 2_000
export const fetchJob = { name: 'look-at-links' }

const bufferOf = perProgram(() => ({ waiting: new Map<string, string>() }))

/** Requests a preview of a page that a post links to. */
export function requestPreview(db: Db, key: string, address: string): void {
  const { waiting: pending } = bufferOf(db)
  if (pending.size < maxPending) pending.set(key, address)
}

/** Writes buffered requests for previews, except for links that were fetched recently. */
export const requestedPreviews: BufferedWriter = {
  name: 'links',
  async write(database) {
    const buffer = bufferOf(database.app)
    const batch = buffer.waiting
    if (batch.size === 0) return
    buffer.waiting = new Map()
    await transact(database, async (tx) => {
      const { numAffectedRows } = await sql`
        insert into link_preview (key, address)
        select * from unnest(${[...batch.keys()]}::text[], ${[...batch.values()]}::text[]) order by 1
        on conflict (key) do update set wanted_at = excluded.wanted_at
        where link_preview.wanted_at is null and link_preview.try_at < excluded.try_at`.execute(tx)
      if (Number(numAffectedRows) > 0) await runSoon(tx, fetchJob)
    })
  },
}
