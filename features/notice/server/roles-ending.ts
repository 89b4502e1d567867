import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { tellEach } from '#notice/server/notice.ts'

type Row = { memberId: string; zh: string; en: string; endsAt: Date }

/** Tells members of roles that end within three days, once each, unless they hold the same role from then on. */
export async function tellOfEndingRoles(tx: Db): Promise<void> {
  const { rows } = await sql<Row>`
    update role_holding set told_of_end = upper(during) from role
    where role.id = role_id and upper(during) > now() and upper(during) <= now() + interval '3 days' and told_of_end is distinct from upper(during)
      and lower(during) < now() and upper(during) - lower(during) > interval '3 days'
      and not exists (
        select from role_holding as next where next.member_id = role_holding.member_id and next.role_id = role_holding.role_id
          and lower(next.during) <= upper(role_holding.during) and next.id <> role_holding.id and upper(next.during) > upper(role_holding.during))
    returning member_id as "memberId", name_zh as zh, name_en as en, upper(during) as "endsAt"`.execute(tx)
  await tellEach(
    tx,
    rows.map(({ memberId, zh, en, endsAt }) => ({
      memberId,
      says: { kind: 'roleEnding', role: { zh, en }, endsAt: endsAt.toISOString() } as const,
    })),
  )
}
