import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isMember, type Member, type Viewer } from '#base/server/http/route.ts'
import {
  Conditions,
  type envelope,
  type EnvelopeKind,
  type envelopeCovers,
  type envelopeStates,
  type Obstacle,
} from '#red-envelope/contract.ts'
import { isOfferedTo, levelName, minDaysOf, obstacleOf, requireVisible, type ClaimedShare } from '#red-envelope/server/claim.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, toMinor, type Currency } from '#wallet/contract.ts'

type Row = {
  id: string
  kind: EnvelopeKind
  giverId: string
  receiverId: string | null
  topicId: string | null
  currency: Currency
  amount: string
  greeting: string
  cover: (typeof envelopeCovers)[number]
  quantity: number
  taken: number
  state: (typeof envelopeStates)[number]
  endsAt: Date | null
  conditions: unknown
  role: { zh: string; en: string } | null
}

/** The name of the role in its conditions; null without one, or if the role was removed. */
export const roleNamed = sql<{ zh: string; en: string } | null>`(
  select jsonb_build_object('zh', name_zh, 'en', name_en) from role where role.id = (conditions ->> 'roleId')::bigint)`

/** One envelope for a viewer: never the amounts of unopened shares, and the total only once it is opened or over. */
export async function show(db: Db, viewer: Viewer, envelopeId: string): Promise<Output<typeof envelope>> {
  const seen = await requireVisible(db, viewer, envelopeId)
  const { rows } = await sql<Row>`
    select id::text, kind, ledger.current_member(giver_id)::text as "giverId", ledger.current_member(receiver_id)::text as "receiverId", topic_id::text as "topicId", currency, amount::text,
      greeting, cover, quantity, state, ends_at as "endsAt", conditions, ${roleNamed} as role,
      (paid + (select count(*) from red_envelope_share where envelope_id = given.id and member_id is not null and transaction_id is null))::int as taken
    from red_envelope as given where id = ${envelopeId}`.execute(db)
  const [row] = rows
  if (!row) throw Missing()
  const { giverId, receiverId, amount, endsAt, conditions, ...its } = row
  const people = await user.authors(db, receiverId === null ? [giverId] : [giverId, receiverId])
  const out = (sum: string) => serializeAmount(its.currency, toMinor(sum))
  // The total would reveal the last share of one cut at random to the other openers.
  const isTotalVisible = seen.isOwn || its.state === 'taken' || its.state === 'returned' || (seen.mine !== null && its.kind !== 'random')
  return {
    ...its,
    giver: people.get(giverId) ?? null,
    receiver: receiverId === null ? null : (people.get(receiverId) ?? null),
    endsAt: endsAt?.toISOString() ?? null,
    conditions: Conditions.parse(conditions),
    level: await levelName(db, conditions),
    minDays: await minDaysOf(db, seen),
    mine: seen.mine === null ? null : out(seen.mine),
    isOwn: seen.isOwn,
    needsCaptcha: seen.needsCaptcha,
    mayTry: isOfferedTo(seen),
    obstacle:
      its.state === 'open' && seen.mine === null && isMember(viewer) && isOfferedTo(seen) ? await obstacleFor(db, viewer, seen) : null,
    amount: isTotalVisible ? out(amount) : null,
  }
}

async function obstacleFor(db: Db, { bans }: Member, envelope: ClaimedShare): Promise<Obstacle | null> {
  return bans?.some(({ from }) => from === 'money') ? 'banned' : obstacleOf(db, envelope)
}
