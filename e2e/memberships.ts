import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'
import { aCard } from '#membership/testing/factories.ts'
import { giveAll } from '#membership/server/give.ts'
import { aRole } from '#tag/testing/factories.ts'

/** A membership card, a gift order paid with a coupon, and a gift task for all members. */
export async function someMemberships(database: Database, buyerId: string, holderId: string): Promise<{ orderId: string; taskId: string }> {
  const { app } = database
  const roleId = await aRole(database, ['invite'])
  const { cardId, ids } = await aCard(database, roleId, [{ cents: 19_900, points: 500, duration: 1, unit: 'year' }], {
    name: 'Friend of the house',
  })
  const names = JSON.stringify(
    Object.fromEntries(['role', 'card', 'specification'].map((one) => [one, { zh: '茶友年卡', en: 'Friend of the house' }])),
  )
  const { rows } = await sql<{ id: string }>`
    insert into membership_order (number, buyer_id, member_id, note, card_id, specification_id, role_id, names, quantity, duration, unit, price_cents,
      price_points, cents, points, during, anchor_day, zone)
    values ('20261127123456789012', ${buyerId}, ${holderId}, 'For all the tea', ${cardId}, ${ids[0] ?? ''}, ${roleId}, ${names}::jsonb, 1, 1, 'year', 19900,
      500, 0, 0, tstzrange(now(), now() + interval '1 year', '[)'), 1, 'UTC') returning id`.execute(app)
  await sql`
    insert into role_holding (member_id, role_id, during) select member_id, role_id, during from membership_order where number = '20261127123456789012'`.execute(
    app,
  )
  const task = await app
    .insertInto('membership_gift_task')
    .values({ name: 'A month for everybody who is here', role_id: roleId, kind: 'once', duration: 1, unit: 'month' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await giveAll(database)
  return { orderId: rows[0]?.id ?? '', taskId: task.id }
}
