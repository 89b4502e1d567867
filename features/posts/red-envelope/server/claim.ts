import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import type { Bilingual } from '#base/both-languages.ts'
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
  type Obstacle,
  type openEnvelope,
} from '#red-envelope/contract.ts'
import { visibleTagId } from '#red-envelope/server/place.ts'
import { claimSeal } from '#red-envelope/server/seal.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, BooksFrozen, toMinor, type Currency } from '#wallet/contract.ts'

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
export type ClaimedShare = Row & {
  /** The site lets givers open a share of their own. */
  mayOwn: boolean
  /** The site requires a captcha. */
  needsCaptcha: boolean
}

type CaptchaResult = Awaited<ReturnType<typeof captcha.consume>>

/** Spends the submitted captcha. The claim decides whether one is required. */
export async function prepare({
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof openEnvelope>, Member>): Promise<CaptchaResult> {
  return input.captchaId ? inSeparateTransaction((tx) => captcha.consume(tx, 'redEnvelope', client, input)) : 'missing'
}

/** Claims a share for a member, once and for good. The member's balance includes it immediately; a job pays it a moment later. */
export async function claim(
  tx: Db,
  member: Member,
  envelopeId: string,
  captchaResult: CaptchaResult = 'missing',
): Promise<Output<typeof openEnvelope>> {
  const envelope = await requireVisible(tx, member, envelopeId)
  const view = (amount: string, isNew: boolean) => ({
    currency: envelope.currency,
    amount: serializeAmount(envelope.currency, toMinor(amount)),
    isNew,
  })
  if (envelope.mine !== null) return view(envelope.mine, false)
  await requireEligible(tx, envelope)
  if (envelope.needsCaptcha) captcha.requireRight(captchaResult)
  const { rows } = await sql<{ amount: string; is_new: boolean }>`
    select amount::text, is_new from claim_red_envelope(${envelopeId}, ${member.id}, ${claimSeal(envelopeId, member.id)})`
    .execute(tx)
    .catch(retryOnConflict)
  const [share] = rows
  if (!share) throw await refusalWithoutShare(tx, member, envelopeId)
  return view(share.amount, share.is_new)
}

// The claim may have waited for a stop or a removal, so the reason is read after it.
async function refusalWithoutShare(tx: Db, member: Member, envelopeId: string): Promise<Refusal> {
  await requireEligible(tx, await requireVisible(tx, member, envelopeId))
  return emptyRefusal()
}

/** The refusal for a member without a share; it releases the idempotency key. */
export function emptyRefusal(): Refusal {
  return withoutKey(EnvelopeEmpty())
}

// The same member in two tabs: the other call has claimed, and this transaction is retried and answers with that share.
function retryOnConflict(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '23505')
    throw Object.assign(new Error('The member claimed a share meanwhile'), { code: '40001', cause: error })
  throw error
}

/**
 * The envelope, if this viewer may see it: its post is on the page under a tag that they may read, or they are its giver or receiver.
 * Merged accounts count as one member.
 */
export async function requireVisible(db: Db, viewer: Viewer, envelopeId: string): Promise<ClaimedShare> {
  // A condition on one id: PostgreSQL would plan a list anew for each length.
  const envelope = await findForEach(db, envelopeId, sql`member.id = ${viewer.id}`)
  return checkVisible(db, viewer, envelope.get(viewer.id))
}

/** Checks the same for a row that is already loaded. */
export async function checkVisible(db: Db, viewer: Viewer, envelope: Row | undefined): Promise<ClaimedShare> {
  if (!envelope) throw Missing()
  const maySee = envelope.hasThread
    ? envelope.tagId !== null && viewer.may('tag.view', envelope.tagId)
    : envelope.isOwn || envelope.isReceiver
  if (!maySee || envelope.state === 'waiting') throw Missing()
  const { envelopeOwn, envelopeCaptcha } = await setting.all(db)
  const isForAll = envelope.kind !== 'targeted'
  return { ...envelope, mayOwn: envelopeOwn && isForAll, needsCaptcha: envelopeCaptcha && isForAll }
}

/** The envelope's row for each of these members, or one row for a visitor without members. */
export async function findForEach(db: Db, envelopeId: string, members: RawBuilder<boolean>): Promise<Map<string | null, Row>> {
  const { rows } = await sql<Row>`
    select member.id::text as "memberId", given.kind, currency, given.state, given.ends_at is null or given.ends_at <= clock_timestamp() as "isOver", conditions,
      coalesce(giver.id = member.id, false) as "isOwn", coalesce(ledger.current_member(receiver_id) = member.id, false) as "isReceiver",
      topic_id is not null as "hasThread", ${visibleTagId} as "tagId",
      (select sum(amount) from red_envelope_share where envelope_id = given.id and member_id in (${user.withMergedIds(sql`member.id`)}))::text as mine,
      exists (select from red_envelope_share
        where envelope_id = given.id and place >= first_free and member_id is null and not is_returned) as "hasFree",
      exists (select from member_block where how = 'blocked' and member_id = giver.id and other_id = member.id) as "isBlocked",
      exists (select from ledger.freezing where thawed_at is null) as "isFrozen",
      conditions ? 'commented' and exists (
        select from comment where comment.topic_id = given.topic_id and author_id = member.id and comment.status = 'published') as "hasCommented",
      conditions ? 'follows' and exists (
        select from follow where "of" = 'member' and of_id = giver.id and member_id = member.id) as follows,
      conditions ? 'roleId' and exists (
        select from role where id = (conditions ->> 'roleId')::bigint and (is_default
          or exists (select from role_holding where member_id = member.id and role_id = role.id and during @> now()))) as "hasRole",
      coalesce(points_earned, 0)::text as points, coalesce(extract(epoch from clock_timestamp() - joined_at)::int / 3600, 0) as hours
    from red_envelope as given left join member on ${members}
      cross join lateral (select ledger.current_member(giver_id) as id) as giver
    where given.id = ${envelopeId}`.execute(db)
  return new Map(rows.map((row) => [row.memberId, row]))
}

/** Whether the envelope is offered to the viewer. Its conditions are checked on opening. */
export function isOfferedTo({ kind, isReceiver, isOwn, mayOwn, isBlocked }: ClaimedShare): boolean {
  if (isBlocked) return false
  return kind === 'targeted' ? isReceiver : !isOwn || mayOwn
}

/** Refuses a member who may not claim a share of an envelope that they see. */
export async function requireEligible(db: Db, envelope: ClaimedShare): Promise<void> {
  if (envelope.isBlocked || (envelope.kind === 'targeted' && !envelope.isReceiver)) throw NotForYou()
  if (envelope.isOwn && !envelope.mayOwn) throw OwnEnvelope()
  // Shares that were claimed and not paid yet are gone too.
  if (envelope.state === 'taken' || (envelope.state === 'open' && !envelope.hasFree)) throw emptyRefusal()
  if (envelope.state !== 'open' || envelope.isOver) throw EnvelopeEnded()
  const obstacle = await obstacleOf(db, envelope)
  if (obstacle) throw await refusals[obstacle](db, envelope)
}

/** The first of its conditions that a member does not meet; frozen books last. */
export async function obstacleOf(db: Db, envelope: ClaimedShare): Promise<Exclude<Obstacle, 'banned'> | null> {
  const { commented, level, roleId, follows } = Conditions.parse(envelope.conditions)
  if (commented && !envelope.hasCommented) return 'comment'
  if (level !== undefined && BigInt(envelope.points) < BigInt(level)) return 'level'
  if (roleId !== undefined && !envelope.hasRole) return 'role'
  if (follows && !envelope.follows) return 'following'
  if (envelope.hours < (await minHoursOf(db, envelope))) return 'days'
  return envelope.isFrozen ? 'books' : null
}

type RefusalOf = (db: Db, envelope: ClaimedShare) => Promise<Refusal>

const refusals: Record<Exclude<Obstacle, 'banned'>, RefusalOf> = {
  comment: async () => NeedsComment(),
  async level(db, { conditions }) {
    const name = await levelName(db, conditions)
    const { level = '0' } = Conditions.parse(conditions)
    return NeedsLevel({ isNamed: name ? 'yes' : 'no', level: name ?? '', points: Number(level) })
  },
  role: async () => NeedsRole(),
  following: async () => NeedsFollowing(),
  days: async (db, envelope) => NeedsDays({ days: await minDaysOf(db, envelope) }),
  books: async () => BooksFrozen(),
}

/** The name of the level that begins at the points of these conditions; null if there is none. */
export async function levelName(db: Db, conditions: unknown): Promise<Bilingual | null> {
  const { level } = Conditions.parse(conditions)
  return (await user.levels(db)).find(({ needs }) => needs === level)?.name ?? null
}

export async function minDaysOf(db: Db, envelope: ClaimedShare): Promise<number> {
  return Math.ceil((await minHoursOf(db, envelope)) / 24)
}

async function minHoursOf(db: Db, { kind, conditions }: ClaimedShare): Promise<number> {
  const { envelopeMemberHours } = await setting.all(db)
  const { days = 0 } = Conditions.parse(conditions)
  return Math.max(days * 24, kind === 'targeted' ? 0 : envelopeMemberHours)
}
