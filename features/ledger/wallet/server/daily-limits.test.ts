import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { runs, seed } from '#base/testing/extent.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { addComment } from '#comment/contract.ts'
import { changeSettings, returnSetting } from '#setting/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { point } from '#wallet/log-contract.ts'
import { aMemberRow } from '#wallet/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const zones = [
  'Asia/Shanghai',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Havana',
  'America/Santiago',
] as const
const shortestDayHours = 22
const hourMs = 3_600_000
const limit = 7

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

test('a change of the time zone and back gives no member a second day', async () => {
  const topicId = await aTopic(await forum.member(), await aTag(forum.database))
  const mei = await forum.member()
  await transact(forum.database, (tx) => applySettings(tx, { commentPoints: 5, commentPointsPerDay: limit, pointsPerDay: 0 }))
  const writes = () => mei.call(addComment, { topicId, body: says('One more') })
  const earned = async () => (await mei.call(point, {})).today.find(({ rule }) => rule === 'comment')?.earned
  for (let count = 0; count < 2; count++) await writes()
  const days = new Set([dayAt(Date.now(), 'Asia/Shanghai')])
  for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Shanghai', 'Etc/GMT+12']) {
    await chief.call(changeSettings, { timeZone })
    days.add(dayAt(Date.now(), timeZone))
    await writes()
    expect(await earned()).toBe(limit)
  }
  await chief.call(returnSetting, { name: 'timeZone' })
  await writes()
  expect(await earned()).toBe(limit)
  expect((await mei.call(point, {})).account.balance).toBe(String(limit))
  expect(days.size).toBeGreaterThan(1)
})

async function begin(zone: string): Promise<void> {
  await forum.database.app.deleteFrom('site_zone').execute()
  await sql`insert into site_zone (begins_at, zone) values ('-infinity', ${zone})`.execute(forum.database.app)
}

/** The day of limits at each quarter of an hour. */
async function daysBetween(from: number, until: number): Promise<{ at: number; day: string }[]> {
  const { rows } = await sql<{ at: Date; day: string }>`
    select at, site_day(at)::text as day from generate_series(${new Date(from)}::timestamptz, ${new Date(until)}, interval '15 minutes') as at
    order by at`.execute(forum.database.app)
  return rows.map(({ at, day }) => ({ at: at.getTime(), day }))
}

const start = fc
  .integer({ min: Date.parse('2026-01-01') / 900_000, max: Date.parse('2029-01-01') / 900_000 })
  .map((quarters) => quarters * 900_000)
const zone = fc.constantFrom(...zones)

test('days follow the calendar of the time zone, also when clocks change', async () => {
  await fc.assert(
    fc.asyncProperty(zone, start, async (its, from) => {
      await begin(its)
      for (const { at, day } of await daysBetween(from, from + 60 * 24 * hourMs)) expect(day).toBe(dayAt(at, its))
    }),
    { numRuns: runs(60), seed, endOnFailure: true },
  )
})

type Step = { wait: number; earns: boolean; zone: string }
const steps = fc.array(fc.record<Step>({ wait: fc.nat({ max: 30 * 60 }), earns: fc.boolean(), zone }), { minLength: 5, maxLength: 40 })
const posts = { count: 0 }

/** Writes at a moment; returns the points, and the day whose limit they count towards. */
async function earn(member: string, at: number): Promise<{ at: number; points: number; day: string }> {
  const post = { kind: 'comment', id: ++posts.count + 1_000_000, member, rule: 'comment', at: new Date(at) }
  const terms = { comment: { points: 5, most: limit }, most: null }
  await sql`select grant_rewards(${JSON.stringify([post])}::json, ${JSON.stringify(terms)}::json)`.execute(forum.database.app)
  const { rows } = await sql<{ points: number; day: string }>`
    select points::int, day::text from reward where post_kind = 'comment' and post_id = ${post.id}`.execute(forum.database.app)
  return { at, points: rows[0]?.points ?? 0, day: rows[0]?.day ?? '' }
}

/** A day lasts as long as in its calendar, or at least 24 hours. */
function expectWhole({ day, from, until }: { day: string; from: number; until: number }): void {
  const isOfCalendar = zones.some((one) => Number(startOfDay(day, one)) === from && Number(startOfDay(addDays(day, 1), one)) === until)
  expect(isOfCalendar || until - from >= 24 * hourMs, `${day} from ${new Date(from).toISOString()}`).toBe(true)
}

test('days are never cut short by changes of the time zone, and no member earns more than the limits of whole days', async () => {
  await fc.assert(
    fc.asyncProperty(zone, start, steps, async (first, from, all) => {
      await begin(first)
      const member = await aMemberRow(forum.database)
      const earned: Awaited<ReturnType<typeof earn>>[] = []
      let now = from
      for (const { wait, earns, zone: next } of all) {
        now += wait * 60_000
        if (earns) for (let count = 0; count < 2; count++) earned.push(await earn(member, now))
        else await sql`select change_site_zone(${next}, ${new Date(now)})`.execute(forum.database.app)
      }
      const days = [...Map.groupBy(await daysBetween(from, now), ({ day }) => day)].map(([day, moments]) => ({
        day,
        from: moments[0]?.at ?? 0,
        until: (moments.at(-1)?.at ?? 0) + 900_000,
        count: moments.length,
      }))
      for (const { from: began, until, count } of days) expect((until - began) / 900_000).toBe(count)
      expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted())
      for (const day of days.slice(1, -1)) expectWhole(day)
      for (const { at, day } of earned) {
        expect(days.findLast(({ from: began }) => began <= at)?.day).toBe(day)
        const within = (hours: number) => earned.filter((other) => other.at >= at && other.at < at + hours * hourMs)
        for (const whole of [0, 1, 3])
          expect(within((whole + 1) * shortestDayHours).reduce((sum, { points }) => sum + points, 0)).toBeLessThanOrEqual(
            (whole + 2) * limit,
          )
      }
    }),
    { numRuns: runs(200), seed, endOnFailure: true },
  )
})
