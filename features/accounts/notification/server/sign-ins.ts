import { sql } from 'kysely'
import { deviceName } from '#base/device-name.ts'
import type { Db } from '#base/server/database/database.ts'
import { regionName } from '#base/region-name.ts'
import { regionOf } from '#base/server/region.ts'
import { say } from '#base/server/words.ts'
import * as contact from '#contact/server/contact.ts'
import { notifyEach } from '#notification/server/notification.ts'

type SignInState = {
  ip: string
  device: string
  /** The hash of its browser's cookie; null where it has none. */ browser: string | null
}
type Session = SignInState & {
  id: string
  memberId: string
  at: Date
  /** When a token was reused, which ended the session. */ reusedAt: Date | null
  earlier: SignInState[]
}

/**
 * Notifies members of logins from a new browser, or from a new region for that browser, and of sessions that ended because two parties held
 * a token: in the forum and by e-mail. The first login is not announced.
 */
export async function notifyOfSignIns(tx: Db): Promise<void> {
  const { rows } = await sql<Session>`
    with fresh as (
      update session set is_looked_at = true where id in (
        select id from session where not is_looked_at and ended_because is distinct from 'deactivated' order by id limit 500 for update skip locked)
      returning id, member_id, host(ip) as ip, user_agent, started_at, encode(browser_hash, 'hex') as browser,
        case when ended_because = 'token reused' then ended_at end as reused_at
    )
    select fresh.id, member_id as "memberId", ip, user_agent as device, browser, started_at as at, reused_at as "reusedAt", coalesce(others.all, '[]') as earlier
    from fresh left join lateral (
      select json_agg(json_build_object('ip', host(its.ip), 'device', its.user_agent, 'browser', encode(its.browser_hash, 'hex'))) as all from (
        select distinct ip, user_agent, browser_hash from (
          select ip, user_agent, browser_hash from session where session.member_id = fresh.member_id and session.id < fresh.id order by started_at desc limit 200
        ) as latest) as its
    ) as others on true`.execute(tx)
  const notices = await Promise.all(rows.map(async (session) => ((await isWorthNotifying(session)) ? [await factsOf(session)] : [])))
  await notifyEach(tx, notices.flat())
  for (const { memberId, says } of notices.flat()) await mail(tx, memberId, says)
}

async function isWorthNotifying(session: Session): Promise<boolean> {
  return session.reusedAt !== null || !(await isKnown(session))
}

async function isKnown({ ip, device, browser, earlier }: Session): Promise<boolean> {
  if (earlier.length === 0) return true
  const same = earlier.filter((one) => (one.browser && browser ? one.browser === browser : nameOf(one.device) === nameOf(device)))
  if (same.some((one) => one.ip === ip)) return true
  const region = await regionOf(ip)
  if (region === null) return same.length > 0
  return (await Promise.all(same.map((one) => regionOf(one.ip)))).includes(region)
}

// A newer version of a browser is the same browser.
function nameOf(device: string): string {
  return deviceName(device) ?? device
}

async function factsOf({ memberId, ip, device, at, reusedAt }: Session) {
  const kind = reusedAt ? ('sessionReused' as const) : ('newSignIn' as const)
  return { memberId, says: { kind, device: device.slice(0, 300), region: await regionOf(ip), at: (reusedAt ?? at).toISOString() } }
}

async function mail(tx: Db, memberId: string, { kind, device, region }: Awaited<ReturnType<typeof factsOf>>['says']): Promise<void> {
  const { language } = await tx.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  const its = language === 'en' ? 'en' : 'zh'
  const values = {
    device: deviceName(device) ?? say(its, 'delivery.unknownDevice'),
    place: region && region !== 'local' ? regionName(region, its) : say(its, 'delivery.unknownPlace'),
  }
  await contact.emailOwner(tx, memberId, kind === 'newSignIn' ? 'newLogin' : 'sessionReused', { values })
}
