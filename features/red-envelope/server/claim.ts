import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { Missing, type Output, type Refusal, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { withoutKey } from '#base/server/http/idempotent-execution.ts'
import type { PrepareContext, Member, Viewer } from '#base/server/http/route.ts'
import * as captcha from '#captcha/server/captcha.ts'
import {
  Conditions,
  EnvelopeEmpty,
  EnvelopeEnded,
  NeedsComment,
  NeedsDays,
  NeedsFollowing,
  NeedsLevel,
  NeedsRole,
  NotForYou,
  OwnEnvelope,
  type openEnvelope,
} from '#red-envelope/contract.ts'
import { shownIn } from '#red-envelope/server/place.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { amountOut, BooksFrozen, minorOf, type Currency } from '#wallet/contract.ts'

type Row = {
  memberId: string | null
  kind: string
  currency: Currency
  state: string
  isOver: boolean
  isOwn: boolean
  isReceiver: boolean
  isBlocked: boolean
  isFrozen: boolean
  conditions: unknown
  /** The tag of its thread; null while the envelope's post is not on the page. */
  tagId: string | null
  hasThread: boolean
  mine: string | null
  /** A share is free, or its claim is not committed yet. */
  hasFree: boolean
  hasCommented: boolean
  follows: boolean
  hasRole: boolean
  points: string
  hours: number
}
type ClaimedShare = Row & {
  /** The site lets givers open a share of their own. */
  mayOwn: boolean
  /** The site requires a captcha. */
  needsCaptcha: boolean
}

type Solved = Awaited<ReturnType<typeof captcha.consume>>

/** Spends the submitted captcha. The claim decides whether one is required. */
export async function prepare({
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof openEnvelope>, Member>): Promise<Solved> {
  return input.captchaId ? inSeparateTransaction((tx) => captcha.consume(tx, 'redEnvelope', client, input)) : 'missing'
}

/** Claims a share for a member, once and for good. The member's balance includes it immediately; a job pays it a moment later. */
export async function claim(tx: Db, member: Member, envelopeId: string, solved: Solved = 'missing'): Promise<Output<typeof openEnvelope>> {
  const found = await mustSee(tx, member, envelopeId)
  const view = (amount: string, isNew: boolean) => ({
    currency: found.currency,
    amount: amountOut(found.currency, minorOf(amount)),
    isNew,
  })
  if (found.mine !== null) return view(found.mine, false)
  await mustMeet(tx, found)
  if (found.needsCaptcha) captcha.requireRight(solved)
  const { rows } = await sql<{ amount: string; is_new: boolean }>`
    select amount::text, is_new from claim_red_envelope(${envelopeId}, ${member.id})`
    .execute(tx)
    .catch(claimedMeanwhile)
  const [share] = rows
  if (!share) throw nothingLeft()
  return view(share.amount, share.is_new)
}

/** The refusal for a member without a share; it releases the idempotency key. */
export function nothingLeft(): Refusal {
  return withoutKey(EnvelopeEmpty())
}

// The same member in two tabs: the other call has claimed, and this transaction is retried and answers with that share.
function claimedMeanwhile(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '23505')
    throw Object.assign(new Error('The member claimed a share meanwhile'), { code: '40001', cause: error })
  throw error
}

/**
 * The envelope, if this viewer may see it: its post is on the page under a tag that they may read, or they are its giver or receiver.
 * Merged accounts count as one member.
 */
export async function mustSee(db: Db, viewer: Viewer, envelopeId: string): Promise<ClaimedShare> {
  // A condition on one id: PostgreSQL would plan a list anew for each length.
  const found = await findForEach(db, envelopeId, sql`member.id = ${viewer.id}`)
  return mustBeSeenBy(db, viewer, found.get(viewer.id))
}

/** Checks the same for a row that is already loaded. */
export async function mustBeSeenBy(db: Db, viewer: Viewer, found: Row | undefined): Promise<ClaimedShare> {
  if (!found) throw Missing()
  const maySee = found.hasThread ? found.tagId !== null && viewer.may('tag.view', found.tagId) : found.isOwn || found.isReceiver
  if (!maySee || found.state === 'waiting') throw Missing()
  const { envelopeOwn, envelopeCaptcha } = await setting.all(db)
  const isForAll = found.kind !== 'targeted'
  return { ...found, mayOwn: envelopeOwn && isForAll, needsCaptcha: envelopeCaptcha && isForAll }
}

/** The envelope's row for each of these members, or one row for a visitor without members. */
export async function findForEach(db: Db, envelopeId: string, members: RawBuilder<boolean>): Promise<Map<string | null, Row>> {
  const { rows } = await sql<Row>`
    select member.id::text as "memberId", given.kind, currency, given.state, given.ends_at is null or given.ends_at <= clock_timestamp() as "isOver", conditions,
      coalesce(giver.id = member.id, false) as "isOwn", coalesce(ledger.living(receiver_id) = member.id, false) as "isReceiver",
      topic_id is not null as "hasThread", ${shownIn} as "tagId",
      (select sum(amount) from red_envelope_share where envelope_id = given.id and member_id in (${user.withMergedIds(sql`member.id`)}))::text as mine,
      exists (select from red_envelope_share
        where envelope_id = given.id and place >= first_free and member_id is null and not is_returned) as "hasFree",
      exists (select from blocking where how = 'blocked' and member_id = giver.id and other_id = member.id) as "isBlocked",
      exists (select from ledger.freezing where thawed_at is null) as "isFrozen",
      conditions ? 'commented' and exists (
        select from comment where comment.topic_id = given.topic_id and author_id = member.id and comment.status = 'published') as "hasCommented",
      conditions ? 'follows' and exists (
        select from following where "of" = 'member' and of_id = giver.id and member_id = member.id) as follows,
      conditions ? 'roleId' and exists (
        select from role where id = (conditions ->> 'roleId')::bigint and (is_default
          or exists (select from role_holding where member_id = member.id and role_id = role.id and during @> now()))) as "hasRole",
      coalesce(points_earned, 0)::text as points, coalesce(extract(epoch from clock_timestamp() - joined_at)::int / 3600, 0) as hours
    from red_envelope as given left join member on ${members}
      cross join lateral (select ledger.living(giver_id) as id) as giver
    where given.id = ${envelopeId}`.execute(db)
  return new Map(rows.map((row) => [row.memberId, row]))
}

/** Whether the envelope is offered to the viewer. Its conditions are checked on opening. */
export function isFor({ kind, isReceiver, isOwn, mayOwn, isBlocked }: ClaimedShare): boolean {
  if (isBlocked) return false
  return kind === 'targeted' ? isReceiver : !isOwn || mayOwn
}

/** Refuses a member who may not claim a share of an envelope that they see. */
export async function mustMeet(db: Db, found: ClaimedShare): Promise<void> {
  const { envelopeMemberHours } = await setting.all(db)
  if (found.isBlocked || (found.kind === 'targeted' && !found.isReceiver)) throw NotForYou()
  if (found.isOwn && !found.mayOwn) throw OwnEnvelope()
  if (found.state === 'taken') throw nothingLeft()
  if (found.state !== 'open' || found.isOver) throw EnvelopeEnded()
  const { commented, level, roleId, follows, days = 0 } = Conditions.parse(found.conditions)
  const hours = Math.max(days * 24, found.kind === 'targeted' ? 0 : envelopeMemberHours)
  if (commented && !found.hasCommented) throw NeedsComment()
  if (level !== undefined && BigInt(found.points) < BigInt(level)) throw NeedsLevel({ points: Number(level) })
  if (roleId !== undefined && !found.hasRole) throw NeedsRole()
  if (follows && !found.follows) throw NeedsFollowing()
  if (found.hours < hours) throw NeedsDays({ days: Math.ceil(hours / 24) })
  if (found.isFrozen) throw BooksFrozen()
}
