import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database.ts'
import { invalidate } from '#base/server/invalidation.ts'
import { askAnybody, NoAnswer, type Outside } from '#base/server/safe-fetch.ts'
import { tagOf } from '#link-preview/server/link-preview.ts'
import { previewIn, type Preview } from '#link-preview/server/read-page.ts'
import * as setting from '#setting/server/setting.ts'

const atOnce = 4
const mostInTurn = 40
const foundFor = '28 days'
const failedFor = '1 day'

type Link = { key: string; address: string }

/** Looks at where links lead that somebody has read, a few at a time. Each is looked at once in some weeks, or in a day where that failed. */
export async function lookAtLinks(database: Database, world?: Outside): Promise<void> {
  if (!(await setting.all(database.reader)).linkPreviews) return
  const links = await taken(database)
  const one = async (): Promise<void> => {
    for (let link = links.pop(); link; link = links.pop()) await keep(database, link, await previewOf(link, world))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

// Whoever dies with some leaves them for who reads them later.
async function taken({ app }: Database): Promise<Link[]> {
  const { rows } = await sql<Link>`
    update link_preview set wanted_at = null, try_at = now() + interval '10 minutes' where key = any(array(
      select key from link_preview where wanted_at is not null order by wanted_at limit ${mostInTurn} for update skip locked))
    returning key, address`.execute(app)
  return rows
}

async function previewOf({ address }: Link, world: Outside | undefined): Promise<Preview | null> {
  try {
    const url = new URL(address)
    return previewIn(await askAnybody(url, { type: 'text/html', ...(world && { world }) }), url.host)
  } catch (error) {
    if (error instanceof NoAnswer) return null
    throw error
  }
}

function keep(database: Database, { key }: Link, preview: Preview | null): Promise<void> {
  return transact(database, async (tx) => {
    const [state, lasts] = preview ? ['found', foundFor] : ['failed', failedFor]
    await sql`
      update link_preview set state = ${state}, site = ${preview?.site ?? null}, title = ${preview?.title ?? null},
        try_at = now() + ${lasts}::interval where key = ${key}`.execute(tx)
    invalidate(tx, tagOf(key))
  })
}
