import { dayAt, addDays, minuteAt, startOfDay } from '#base/server/calendar.ts'
import { insertRows, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'
import type { AnswerMetrics } from '#base/server/http/request-listener.ts'
import * as setting from '#setting/server/setting.ts'
import { daysOf, type Range, type TimesView } from '#statistic/contract.ts'
import { percentile, bucketOf, bucketCount } from '#statistic/server/percentile.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const maxHourlyDays = 7
/** Longer than the dashboard shows hours. */
export const hourDays = 8
// Downloads measure the reader's connection.
const excludedRoutes = /^\/(assets|file|metrics|health|api\/admin\/backup\/file)(\/|$)/

const bufferOf = perProgram(() => ({ counts: empty() }))

function empty(): number[] {
  return Array.from({ length: bucketCount }, () => 0)
}

/** Counts an answer by how long it took; it is written with the next ones. */
export function recordAnswer(db: Db, { route, ms }: Pick<AnswerMetrics, 'route' | 'ms'>): void {
  if (excludedRoutes.test(route)) return
  const { counts } = bufferOf(db)
  const bucket = bucketOf(ms)
  counts[bucket] = (counts[bucket] ?? 0) + 1
}

export const answers: BufferedWriter = {
  name: 'answer times',
  async write(database: Database) {
    const buffer = bufferOf(database.app)
    const flushed = buffer.counts
    if (flushed.every((count) => count === 0)) return
    buffer.counts = empty()
    try {
      const { timeZone } = await setting.all(database.reader)
      await transact(database, (tx) => add(tx, flushed, timeZone))
    } catch (error) {
      buffer.counts = buffer.counts.map((count, bucket) => count + (flushed[bucket] ?? 0))
      throw error
    }
  },
}

async function add(tx: Db, flushed: readonly number[], timeZone: string, now = Date.now()): Promise<void> {
  const starts = { day: startOfDay(dayAt(now, timeZone), timeZone), hour: new Date(hourOf(now) * hourMs) }
  const rows = (['day', 'hour'] as const).flatMap((span) => {
    const at = starts[span]
    return flushed.flatMap((count, bucket) => (count > 0 ? [{ span, at, bucket, count: String(count) }] : []))
  })
  await insertRows(tx, 'answer_time', rows)
    .onConflict((conflict) =>
      conflict
        .columns(['span', 'at', 'bucket'])
        .doUpdateSet((row) => ({ count: row('answer_time.count', '+', row.ref('excluded.count')) })),
    )
    .execute()
}

/** Response times in a range of days: hourly in a short range for which hours are still stored. */
export async function over(db: Db, range: Range, timeZone: string, now = Date.now()): Promise<TimesView> {
  const [begin, end] = [startOfDay(range.first, timeZone), startOfDay(addDays(range.last, 1), timeZone)]
  const span = range.days <= maxHourlyDays && Number(begin) > now - hourDays * dayMs ? 'hour' : 'day'
  const labels = span === 'day' ? daysOf(range) : hoursBetween(Number(begin), Math.min(Number(end), now), timeZone)
  const rows = await db
    .selectFrom('answer_time')
    .select(['at', 'bucket', 'count'])
    .where('span', '=', span)
    .where('at', '>=', begin)
    .where('at', '<', end)
    .execute()
  const all = empty()
  const places = labels.map(empty)
  const numbers = new Map(labels.map((label, place) => [label, place]))
  for (const { at, bucket, count } of rows) {
    const place = span === 'day' ? numbers.get(dayAt(at, timeZone)) : hourOf(at.getTime()) - hourOf(Number(begin))
    for (const counts of [places[place ?? -1], all]) if (counts) counts[bucket] = (counts[bucket] ?? 0) + Number(count)
  }
  const points = places.map((place, index) => ({ at: labels[index] ?? '', half: percentile(place, 0.5), most: percentile(place, 0.95) }))
  return { points, half: percentile(all, 0.5), most: percentile(all, 0.95), answers: all.reduce((sum, count) => sum + count, 0) }
}

// An hour of a time zone may begin in the middle of a counted hour.
function hoursBetween(begin: number, end: number, timeZone: string): string[] {
  return Array.from({ length: Math.ceil((end - begin) / hourMs) }, (_, hour) => minuteAt(begin + hour * hourMs, timeZone))
}

function hourOf(at: number): number {
  return Math.floor(at / hourMs)
}
