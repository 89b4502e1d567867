import { sql, type RawBuilder } from 'kysely'
import type { SharedKind } from '#collusion/contract.ts'
import { since } from '#collusion/server/period.ts'

// Many members of a campus or a mobile network share one address, and one invitation for many says nothing of two of them.
const mostOfAddress = 5
const mostOfInvitation = 5
const together = sql`interval '10 minutes'`

/** The facts that two accounts have in common, as a list of kinds. */
export function sharedBetween(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<SharedKind[]> {
  const kinds: Record<SharedKind, RawBuilder<unknown>> = {
    address: sameAddress(one, other),
    browser: sql`select from known_browser as its join known_browser as theirs using (hash)
      where its.member_id = ${one} and theirs.member_id = ${other}`,
    contact: sql`select from contact as its join contact as theirs using (kind, address_hash)
      where its.member_id = ${one} and theirs.member_id = ${other}`,
    person: sql`select from real_name as its join real_name as theirs using (person_hash)
      where its.member_id = ${one} and theirs.member_id = ${other}`,
    invited: sql`select from invitation_use as used join invitation on invitation.id = used.invitation_id
      where (used.member_id, invitation.member_id) in ((${one}, ${other}), (${other}, ${one}))`,
    invitation: sql`select from invitation_use as its join invitation_use as theirs using (invitation_id)
      join invitation on invitation.id = invitation_id
      where its.member_id = ${one} and theirs.member_id = ${other} and used <= ${mostOfInvitation}`,
    registered: sql`select from member as its, member as theirs where its.id = ${one} and theirs.id = ${other}
      and its.joined_at between theirs.joined_at - ${together} and theirs.joined_at + ${together}`,
  }
  const found = Object.entries(kinds).map(([kind, query]) => sql`case when exists (${query}) then ${kind}::text end`)
  return sql`array_remove(array[${sql.join(found, sql`, `)}], null)`
}

// An IPv6 address stands for its network, as in all limits.
function sameAddress(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  const networks = (member: RawBuilder<unknown>) => sql`
    select network(set_masklen(ip, case family(ip) when 4 then 32 else 64 end))::inet as net from login_log
      where member_id = ${member} and at > ${since}
    union select network(set_masklen(joined_ip, case family(joined_ip) when 4 then 32 else 64 end))::inet from member
      where id = ${member} and joined_ip is not null`
  return sql`
    select from ((${networks(one)}) intersect (${networks(other)})) as common where (
      select count(*) from (
        select distinct member_id from login_log
        where ip >= net and ip <= set_masklen(broadcast(net), case family(net) when 4 then 32 else 128 end) limit ${mostOfAddress + 1}
      ) as users) <= ${mostOfAddress}`
}
