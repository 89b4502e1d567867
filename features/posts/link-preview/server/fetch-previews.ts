import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import { processQueue } from '#base/server/outbound/fair-queue.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { registrableName } from '#base/server/outbound/public-address.ts'
import { fetchUntrusted, RequestFailed, type Network } from '#base/server/outbound/safe-fetch.ts'
import { cacheTagOf } from '#link-preview/server/link-preview.ts'
import { previewIn, type Preview } from '#link-preview/server/read-page.ts'
import * as setting from '#setting/server/setting.ts'

const limits = { atOnce: 4, perHost: 1 }
const maxListed = 500
const maxPerHost = 20
const foundFor = '28 days'
const failedFor = '1 day'

type Link = { key: string; address: string }
type FetchOptions = { network?: Network; timeoutMs?: number }

/**
 * Fetches previews of links that were requested, several at a time and one per site. Each is fetched once in some weeks, or daily
 * after a failure.
 */
export async function fetchPreviews(database: Database, options: FetchOptions = {}): Promise<void> {
  if (!(await setting.all(database.reader)).linkPreviews) return
  await processQueue<Link>(
    {
      list: () => requestedLinks(database),
      hostsOf: ({ address }) => [registrableName(URL.parse(address)?.hostname ?? '')],
      async work(link) {
        if (await claim(database, link)) await savePreview(database, link, await previewOf(link, options))
      },
    },
    limits,
  )
}

// A limited number per host, so that many links to one do not starve the others.
async function requestedLinks({ app }: Database): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select key, address from (
      select key, address, wanted_at, row_number() over (partition by split_part(address, '/', 3) order by wanted_at) as place
      from link_preview where wanted_at is not null) as wanted
    where place <= ${maxPerHost} order by wanted_at limit ${maxListed}`.execute(app)
  return rows
}

// If the process dies, the next reader requests the link again.
async function claim({ app }: Database, { key }: Link): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update link_preview set wanted_at = null, try_at = now() + interval '10 minutes' where key = ${key} and wanted_at is not null`.execute(
    app,
  )
  return numAffectedRows === 1n
}

async function previewOf({ address }: Link, options: FetchOptions): Promise<Preview | null> {
  const url = URL.parse(address)
  if (!url) return null
  try {
    return previewIn(await fetchUntrusted(url, { type: 'text/html', ...options }), url.host)
  } catch (error) {
    if (error instanceof RequestFailed) return null
    throw error
  }
}

function savePreview(database: Database, { key }: Link, preview: Preview | null): Promise<void> {
  return transact(database, async (tx) => {
    const [state, lasts] = preview ? ['found', foundFor] : ['failed', failedFor]
    await sql`
      update link_preview set state = ${state}, site = ${preview?.site ?? null}, title = ${preview?.title ?? null},
        try_at = now() + ${lasts}::interval where key = ${key}`.execute(tx)
    invalidate(tx, cacheTagOf(key))
  })
}
