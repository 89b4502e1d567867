import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { howMany } from '#base/server/attempts.ts'
import type { Db } from '#base/server/database.ts'
import { isLoopback } from '#base/server/rate-limit.ts'
import type { From } from '#base/server/route.ts'
import { channels, type deliveryBoard } from '#delivery/contract.ts'
import { ceilings, countriesIn, reminderCeiling } from '#delivery/server/delivery.ts'
import { written } from '#delivery/server/written.ts'
import * as setting from '#setting/server/setting.ts'

type Board = Output<typeof deliveryBoard>

const days = 14

export async function board(db: Db, from: From): Promise<Board> {
  const settings = await setting.all(db)
  const limits = channels.flatMap((channel) => {
    const [all] = ceilings(settings, channel, null)
    const countries = channel === 'sms' ? countriesIn(settings) : []
    const each = countries.flatMap((country) =>
      ceilings(settings, channel, country)
        .slice(1)
        .map((limit) => ({ limit, channel, country: country.code })),
    )
    const reminders = channel === 'email' ? [{ limit: reminderCeiling(settings), channel, country: null }] : []
    return all ? [{ limit: all, channel, country: null }, ...reminders, ...each] : each
  })
  return {
    days: await figures(db, settings.timeZone),
    ceilings: await Promise.all(
      limits.map(async ({ limit, channel, country }) => ({
        channel,
        country,
        isOfReminders: limit.key === reminderCeiling(settings).key,
        used: await howMany(db, limit.key, new Date(Date.now() - limit.seconds * 1000)),
        most: limit.most,
      })),
    ),
    written: isLoopback(from.ip) ? written().map((one) => ({ ...one, at: one.at.toISOString() })) : null,
  }
}

async function figures(db: Db, timeZone: string): Promise<Board['days']> {
  const { rows: found } = await sql<Board['days'][number]>`
    select to_char(made_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, channel,
      count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'refused')::int as refused,
      count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'waiting')::int as waiting
    from delivery where made_at > now() - ${days} * interval '1 day' group by 1, 2 order by 1 desc, 2`.execute(db)
  return found
}
