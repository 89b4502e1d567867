import { sql, type RawBuilder } from 'kysely'
import { members, type Ban, type Guard, type Member, type Viewer } from '#base/server/http/route.ts'
import { banWord, type FunctionName } from '#role/all-rights.ts'
import { Banned } from '#role/contract.ts'

/** A guard for members without such a ban. A banned member learns its end and reason. */
export function unlessBanned(...doing: readonly FunctionName[]): Guard<Member> {
  return (viewer) => {
    const member = members(viewer)
    refuseBanned(member, doing)
    return member
  }
}

/** The same where no account is needed. */
export function anyoneUnlessBanned(...doing: readonly FunctionName[]): Guard {
  return (viewer) => {
    refuseBanned(viewer, doing)
    return viewer
  }
}

/** Refuses a banned viewer, for calls that only partly use the function, or whose action has a word of its own. */
export function refuseBanned({ bans }: Viewer, doing: readonly FunctionName[], actionWord?: string): void {
  const ban = bans?.find(({ from }) => (doing as readonly string[]).includes(from))
  if (ban) throw banRefusal(ban, actionWord)
}

function banRefusal({ from, endsAt, reason }: Ban, actionWord = banWord(from)) {
  return Banned({
    what: { text: actionWord },
    ends: endsAt === null ? 'never' : 'later',
    until: endsAt === null ? 0 : Date.parse(endsAt),
    reason,
  })
}

/** The running bans of this column's member. */
export function bansOn(memberId: string): RawBuilder<Ban[]> {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('from', function, 'endsAt', ends_at, 'reason', reason) order by member_ban.id)
    from member_ban
    where member_ban.member_id = ${sql.ref(memberId)} and lifted_at is null and (ends_at is null or ends_at > now())
  ), '[]')`
}
