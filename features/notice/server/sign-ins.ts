import { sql } from 'kysely'
import { deviceName } from '#base/device-name.ts'
import type { Db } from '#base/server/database.ts'
import { regionOf } from '#base/server/region.ts'
import { tellEach } from '#notice/server/notice.ts'

type Session = { id: string; memberId: string; ip: string; device: string; at: Date; earlier: { ip: string; device: string }[] }

/**
 * Tells members that somebody logged in as them with a browser that they never had, or from a region in which they never were with it. Their
 * first session tells nothing.
 */
export async function tellOfSignIns(tx: Db): Promise<void> {
  const { rows } = await sql<Session>`
    with fresh as (
      update session set is_looked_at = true where id in (
        select id from session where not is_looked_at and ended_because is distinct from 'deactivated' order by id limit 500 for update skip locked)
      returning id, member_id, host(ip) as ip, user_agent, started_at
    )
    select fresh.id, member_id as "memberId", ip, user_agent as device, started_at as at, coalesce(others.all, '[]') as earlier
    from fresh left join lateral (
      select json_agg(json_build_object('ip', host(its.ip), 'device', its.user_agent)) as all from (
        select distinct ip, user_agent from (
          select ip, user_agent from session where session.member_id = fresh.member_id and session.id < fresh.id order by started_at desc limit 200
        ) as latest) as its
    ) as others on true`.execute(tx)
  const told = await Promise.all(rows.map(async (session) => ((await isKnown(session)) ? [] : [await sayingOf(session)])))
  await tellEach(tx, told.flat())
}

async function isKnown({ ip, device, earlier }: Session): Promise<boolean> {
  if (earlier.length === 0) return true
  const same = earlier.filter((one) => nameOf(one.device) === nameOf(device))
  if (same.some((one) => one.ip === ip)) return true
  const region = await regionOf(ip)
  if (region === null) return same.length > 0
  return (await Promise.all(same.map((one) => regionOf(one.ip)))).includes(region)
}

// Newer versions of a browser are that browser.
function nameOf(device: string): string {
  return deviceName(device) ?? device
}

async function sayingOf({ memberId, ip, device, at }: Session) {
  return { memberId, says: { kind: 'newSignIn', device: device.slice(0, 300), region: await regionOf(ip), at: at.toISOString() } as const }
}
