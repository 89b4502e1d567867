import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import { current } from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { channels, type Channel, type deliveryBoard, type Use } from '#delivery/contract.ts'
import { dailyLimits, countriesIn } from '#delivery/server/delivery.ts'
import { outbox } from '#delivery/server/outbox.ts'
import * as setting from '#setting/server/setting.ts'

type Board = Output<typeof deliveryBoard>

const days = 14

export async function board(db: Db, client: ClientInfo): Promise<Board> {
  const settings = await setting.all(db)
  const limits = [
    ...kindsOf('email', ['codes', 'safety', 'notifications', 'tests']),
    ...kindsOf('sms', ['codes', 'safety', 'tests']),
  ].flatMap(({ channel, use }) => {
    const countries = channel === 'sms' ? countriesIn(settings) : []
    const [all] = dailyLimits(settings, { channel, use, country: null })
    const each = countries.flatMap((country) =>
      dailyLimits(settings, { channel, use, country })
        .slice(1)
        .map((limit) => ({ limit, channel, use, country: country.code })),
    )
    return all ? [{ limit: all, channel, use, country: null }, ...each] : each
  })
  return {
    days: await figures(db, settings.timeZone),
    ceilings: await Promise.all(
      limits.map(async ({ limit, channel, use, country }) => ({
        channel,
        country,
        use,
        used: await current(db, limit.key, new Date(Date.now() - limit.seconds * 1000)),
        most: limit.most,
      })),
    ),
    unsent: channels.filter((channel) => !setting.canSend(settings, channel)),
    // Codes of members stand in it.
    outbox: client.isLocal ? outbox().map((one) => ({ ...one, at: one.at.toISOString() })) : null,
  }
}

function kindsOf(channel: Channel, of: readonly Use[]): { channel: Channel; use: Use }[] {
  return of.map((use) => ({ channel, use }))
}

async function figures(db: Db, timeZone: string): Promise<Board['days']> {
  const { rows: found } = await sql<Board['days'][number]>`
    select to_char(made_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, channel,
      count(*) filter (where state = 'sent' and not is_test)::int as sent, count(*) filter (where state = 'unsent' and not is_test)::int as unsent,
      count(*) filter (where state = 'refused' and not is_test)::int as refused, count(*) filter (where state = 'failed' and not is_test)::int as failed,
      count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where is_test and state <> 'waiting')::int as tests
    from delivery where made_at > now() - ${days} * interval '1 day' group by 1, 2 order by 1 desc, 2`.execute(db)
  return found
}
