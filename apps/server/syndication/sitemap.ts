import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { z } from 'zod'
import { nothing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { element, xmlDeclaration, xmlText } from '#base/xml.ts'
import { serveCached, type SyndicationContext, type SyndicationOptions } from '#apps/server/syndication/serve-cached.ts'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import * as tagList from '#tag/server/list.ts'
import * as tag from '#tag/server/tag.ts'

/** The protocol's limit per file. */
export const addressesPerFile = 50_000
const batchSize = 5_000

const xmlType = 'application/xml; charset=utf-8'
const space = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const tags = ['tagCounts', 'titles']

/** The sitemap index, `/sitemap.xml`; the site's fixed pages; and a file per range of topics. */
export function serveSitemaps(options: SyndicationOptions): void {
  const common = { cacheTags: tags, seconds: 3_600, timesAMinute: 120 }
  serveCached(options, '/sitemap.xml', {
    ...common,
    takes: nothing,
    make: async (context) => ({ type: xmlType, body: await sitemapIndex(context) }),
  })
  serveCached(options, '/sitemap/pages.xml', {
    ...common,
    takes: nothing,
    make: async (context) => ({ type: xmlType, body: await fixedPages(context) }),
  })
  serveCached(options, '/sitemap/:name', {
    ...common,
    takes: z.object({ name: z.string().regex(/^topics-[1-9]\d{0,7}\.xml\.gz$/) }),
    async make({ db, viewer, origin, input }) {
      const body = await topicsFile(db, viewer, origin, Number(/\d+/.exec(input.name)?.[0]))
      return body && { type: 'application/gzip', body }
    },
  })
}

type NoInputContext = SyndicationContext<Record<string, never>>

async function sitemapIndex({ db, viewer, origin }: NoInputContext): Promise<string> {
  const names = ['pages.xml', ...(await filesWithTopics(db, viewer)).map((file) => `topics-${file}.xml.gz`)]
  return documentOf(
    'sitemapindex',
    names.map((name) => element('sitemap', {}, text('loc', `${origin}/sitemap/${name}`))),
  )
}

async function fixedPages({ db, viewer, origin }: NoInputContext): Promise<string> {
  const tree = await tagList.list(db, viewer)
  const places = tree.flatMap((one) => [one, ...one.children]).map((one) => `/index?tagId=${one.id}`)
  const paths = ['/index', '/askList', ...places, '/about', '/termsService']
  return documentOf(
    'urlset',
    paths.map((path) => element('url', {}, text('loc', origin + path))),
  )
}

// A file covers a range of ids, so that one index scan reads it, without counting those before it.
async function filesWithTopics(db: Db, viewer: Viewer): Promise<number[]> {
  const { rows } = await sql<{ file: number }>`
    select file::int from generate_series(1, (select (coalesce(max(id), 0) + ${addressesPerFile} - 1) / ${addressesPerFile} from topic)) as file
    where exists (
      select from topic
      where id > (file - 1) * ${addressesPerFile}::bigint and id <= file * ${addressesPerFile}::bigint
        and status = 'published' and ${tag.seenBy(viewer)})
    order by file`.execute(db)
  return rows.map((row) => row.file)
}

/** Compressed while it is read, so that the text is never whole in memory. Null if no topic in the range is public. */
async function topicsFile(db: Db, viewer: Viewer, origin: string, file: number): Promise<Buffer | null> {
  const lines = linesOf(db, viewer, origin, file)
  const first = await lines.next()
  if (first.done) return null
  return pipeline(
    async function* () {
      yield `${xmlDeclaration}<urlset xmlns="${space}">\n${first.value}`
      yield* lines
      yield '</urlset>\n'
    },
    createGzip(),
    (compressed) => buffer(compressed),
  )
}

async function* linesOf(db: Db, viewer: Viewer, origin: string, file: number): AsyncGenerator<string> {
  const last = file * addressesPerFile
  let after = String(last - addressesPerFile)
  for (;;) {
    const rows = await topicsAfter(db, viewer, after, last)
    const end = rows.at(-1)
    if (!end) return
    yield rows
      .map(({ id, kind, changed }) => `${element('url', {}, text('loc', origin + threadPath(id, kind)), text('lastmod', changed))}\n`)
      .join('')
    after = end.id
  }
}

type Row = { id: string; kind: ThreadKind; changed: string }

async function topicsAfter(db: Db, viewer: Viewer, after: string, last: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, kind, to_char(greatest(last_reply_at, edited_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as changed from topic
    where id > ${after} and id <= ${last} and status = 'published' and ${tag.seenBy(viewer)}
    order by id limit ${batchSize}`.execute(db)
  return rows
}

function documentOf(root: string, entries: readonly string[]): string {
  return `${xmlDeclaration}${element(root, { xmlns: space }, '\n', entries.join('\n'), '\n')}\n`
}

function text(name: string, its: string): string {
  return element(name, {}, xmlText(its))
}
