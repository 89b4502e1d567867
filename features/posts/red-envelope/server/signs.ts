import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { staffEnvelope } from '#red-envelope/staff-contract.ts'

type Signs = Output<typeof staffEnvelope>['signs']

/** Hints at farming among the openers of an envelope and its giver, for staff to judge. Only the first thousand shares count. */
export async function signsOf(db: Db, envelopeId: string): Promise<Signs> {
  const { rows } = await sql<Signs>`
    with its as (
      select id, ledger.current_member(giver_id) as giver_id, opened_at, coalesce(ended_at, clock_timestamp()) as ended_at
      from red_envelope where id = ${envelopeId}
    ), opener as (
      select member.id, joined_at, claimed_at from red_envelope_share as share join member on member.id = member_id
      where envelope_id = ${envelopeId} order by claimed_at limit 1000
    ), person as (
      select id from opener union select giver_id from its
    ), network as (
      select member.id, ${networkOf('joined_ip')} as net from person join member using (id) where joined_ip is not null
      union
      select member_id, ${networkOf('ip')} from its, person join login_log on member_id = person.id
      where at between opened_at - interval '7 days' and its.ended_at
    ), network_shared as (
      select net from network group by net having count(*) > 1
    )
    select
      (select count(*) from opener where joined_at > claimed_at - interval '7 days')::int as "newAccounts",
      (select count(distinct id) from network join network_shared using (net) where id in (select id from opener))::int as "sameNetwork",
      red_envelope_shared_browsers(${envelopeId}) as "sameBrowser",
      (select count(*) from opener where exists (
        select from red_envelope as back join red_envelope_share as share on share.envelope_id = back.id and share.member_id = its.giver_id
        where back.giver_id = opener.id and back.created_at > opener.claimed_at - interval '30 days'))::int as "giveBack",
      (select count(*) from opener where exists (
        select from collusion_hint where members @> array[opener.id, its.giver_id] and dismissed_at is null))::int as "inHints"
    from its`.execute(db)
  return rows[0] ?? { newAccounts: 0, sameNetwork: 0, sameBrowser: 0, giveBack: 0, inHints: 0 }
}

// An IPv6 address counts as its network, as in all limits.
function networkOf(column: 'ip' | 'joined_ip') {
  const ip = sql.ref(column)
  return sql`network(set_masklen(${ip}, case family(${ip}) when 4 then 32 else 64 end))::inet`
}
