import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { sqlDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { minSearchers, type dashboard, type Range } from '#statistic/contract.ts'
import { within } from '#statistic/server/within.ts'

const longest = 60
const keptOfADay = 200
const maxResults = 20

type Search = { day: string; words: string; who: Buffer }

type ViewRange = { after: string; upTo: string; timeZone: string }

/** Counts searches in a range of page views; each address once a day per term. */
export async function countSearches(tx: Db, { after, upTo, timeZone }: ViewRange): Promise<void> {
  const rows = await tx
    .selectFrom('page_view')
    .select(['url', 'ip', sql<string>`to_char(${sqlDay(sql`at`, timeZone)}, 'YYYY-MM-DD')`.as('day')])
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('url', 'like', '/search?%')
    .execute()
  const searches = rows.flatMap(({ url, ip, day }): Search[] => {
    const words = searchTermIn(url)
    return words && ip ? [{ day, words, who: createHash('sha256').update(`${day} ${ip} ${words}`).digest() }] : []
  })
  if (searches.length === 0) return
  await sql`
    with new as (
      insert into day_searcher (day, words, who)
      select * from unnest(${searches.map(({ day }) => day)}::date[], ${searches.map(({ words }) => words)}::text[],
        ${searches.map(({ who }) => who)}::bytea[])
      on conflict do nothing returning day, words
    )
    insert into day_search (day, words, people) select day, words, count(*) from new group by 1, 2
    on conflict (day, words) do update set people = day_search.people + excluded.people`.execute(tx)
}

/** A search term that others may have typed too; null for a possible address or number of a person. */
export function searchTermIn(url: string): string | null {
  const typed = new URLSearchParams(url.slice(url.indexOf('?'))).get('keyword') ?? ''
  const words = typed.normalize('NFKC').toLowerCase().replaceAll('\0', '').replace(/\s+/g, ' ').trim()
  const isOwn = words.includes('@') || /\d[\d\s-]{5,}\d/.test(words)
  return words === '' || words.length > longest || isOwn ? null : words
}

/** Keeps only the terms that several people searched for on an ended day, and deletes the addresses. */
export async function pruneSearches(tx: Db, timeZone: string): Promise<void> {
  const today = sqlDay(sql`now()`, timeZone)
  await sql`delete from day_searcher where day < ${today}`.execute(tx)
  await sql`
    delete from day_search using (
      select day, words, people, row_number() over (partition by day order by people desc, words collate "C") as place
      from day_search where day between ${today} - 3 and ${today} - 1
    ) as ranked
    where (ranked.people < ${minSearchers} or ranked.place > ${keptOfADay})
      and day_search.day = ranked.day and day_search.words = ranked.words`.execute(tx)
}

export async function topSearches(db: Db, range: Range): Promise<Output<typeof dashboard>['searches']> {
  const rows = await db
    .selectFrom('day_search')
    .select(['words', sql<string>`sum(people)`.as('people')])
    .where(within(range))
    .where('people', '>=', sql.val(String(minSearchers)))
    .groupBy('words')
    .orderBy(sql`sum(people)`, 'desc')
    .orderBy(sql`words collate "C"`)
    .limit(maxResults)
    .execute()
  return rows.map(({ words, people }) => ({ words, people: Number(people) }))
}
