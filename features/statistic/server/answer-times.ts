import { transact, type Database, type Db } from '#base/server/database.ts'
import type { Gathering } from '#base/server/gather.ts'
import type { Answered } from '#base/server/http.ts'
import type { Range, TimesView } from '#statistic/contract.ts'
import { percentile, bucketOf, bucketCount } from '#statistic/server/percentile.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const longestByHours = 7
/** Longer than the dashboard shows hours. */
export const hourDays = 8
// What is fetched whole tells how fast the reader's line is.
const apart = /^\/(assets|file|metrics|health|api\/admin\/backup\/file)(\/|$)/

let counts = empty()

function empty(): number[] {
  return Array.from({ length: bucketCount }, () => 0)
}

/** Counts an answer by how long it took; it is written with the next ones. */
export function noteAnswer({ route, ms }: Pick<Answered, 'route' | 'ms'>): void {
  if (apart.test(route)) return
  const bucket = bucketOf(ms)
  counts[bucket] = (counts[bucket] ?? 0) + 1
}

export const answers: Gathering = {
  name: 'answer times',
  async write(database: Database) {
    const taken = counts
    if (taken.every((count) => count === 0)) return
    counts = empty()
    try {
      await transact(database, (tx) => add(tx, taken, Date.now()))
    } catch (error) {
      counts = counts.map((count, bucket) => count + (taken[bucket] ?? 0))
      throw error
    }
  },
}

async function add(tx: Db, taken: readonly number[], now: number): Promise<void> {
  const rows = (['day', 'hour'] as const).flatMap((span) => {
    const at = new Date(startOf(now, span))
    return taken.flatMap((count, bucket) => (count > 0 ? [{ span, at, bucket, count: String(count) }] : []))
  })
  await tx
    .insertInto('answer_time')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['span', 'at', 'bucket'])
        .doUpdateSet((row) => ({ count: row('answer_time.count', '+', row.ref('excluded.count')) })),
    )
    .execute()
}

/** How long answers took in a range of days: by hours in a short one that is no older than hours are kept. */
export async function over(db: Db, range: Range, now = Date.now()): Promise<TimesView> {
  const begin = Date.parse(range.first)
  const span = range.days <= longestByHours && begin > now - hourDays * dayMs ? 'hour' : 'day'
  const step = span === 'hour' ? hourMs : dayMs
  const end = Math.min(begin + range.days * dayMs - step, startOf(now, span))
  const length = (end - begin) / step + 1
  const rows = await db
    .selectFrom('answer_time')
    .select(['at', 'bucket', 'count'])
    .where('span', '=', span)
    .where('at', '>=', new Date(begin))
    .where('at', '<=', new Date(end))
    .execute()
  const places = Array.from({ length }, empty)
  const all = empty()
  for (const { at, bucket, count } of rows) {
    for (const place of [places[(at.getTime() - begin) / step], all]) if (place) place[bucket] = (place[bucket] ?? 0) + Number(count)
  }
  const points = places.map((place, index) => ({
    at: labelOf(begin + index * step, span),
    half: percentile(place, 0.5),
    most: percentile(place, 0.95),
  }))
  return { points, half: percentile(all, 0.5), most: percentile(all, 0.95), answers: all.reduce((sum, count) => sum + count, 0) }
}

function startOf(at: number, span: 'hour' | 'day'): number {
  const step = span === 'hour' ? hourMs : dayMs
  return Math.floor(at / step) * step
}

function labelOf(at: number, span: 'hour' | 'day'): string {
  return new Date(at)
    .toISOString()
    .slice(0, span === 'hour' ? 16 : 10)
    .replace('T', ' ')
}
