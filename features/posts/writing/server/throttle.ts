import { sql, type RawBuilder } from 'kysely'
import type { Db, StatementBuilder } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { BecamePost } from '#base/server/moments.ts'
import { tables, type Kind } from '#kind/contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as user from '#user/server/user.ts'
import { SaidAlready, TooSoon } from '#writing/contract.ts'
import { isNew, isTrusted } from '#writing/server/new-member.ts'
import { fingerprintOf, type ComparedText } from '#writing/server/text-fingerprint.ts'

/** The rate limits of one post: the cooldown and the duplicate check. */
export type Throttle = {
  kind: Kind
  memberId: string
  at: Date | undefined
  settings: Settings
  isExempt: boolean
  /** The counter's increment: 0 for a held post. */
  increment: 0 | 1
  /** The fingerprint; null without a duplicate check. */
  hash: Buffer | null
}

type ThrottleInput = ComparedText & { kind: Kind; at?: Date | undefined; authorId?: string; isHeld?: boolean }

/** Moderators, seeds and edits of others' posts are exempt. */
export function throttle(
  settings: Settings,
  author: Member,
  { kind, at, authorId = author.id, isHeld = false, ...saying }: ThrottleInput,
): Throttle {
  const isFree = at !== undefined || isTrusted(author) || authorId !== author.id
  const hash = isFree || settings.duplicateWindowHours === 0 ? null : fingerprintOf(saying)
  return { kind, memberId: author.id, at, settings, isExempt: isFree, hash, increment: isHeld ? 0 : 1 }
}

/**
 * A part of the inserting statement, to be named `counted`: increments the author's counter, and returns no row during the
 * cooldown. The condition is in the update, so that of two concurrent posts the second sees the effect of the first.
 */
export function counted(part: StatementBuilder, throttle: Throttle) {
  const { kind, memberId, at } = throttle
  const { lastAt: column } = tables[kind]
  const last = sql.ref(column)
  return user
    .incrementPostCount(part, memberId, kind, throttle.increment)
    .set({ [column]: at ?? sql<Date>`clock_timestamp()` })
    .where(sql<boolean>`(${last} > clock_timestamp() - ${cooldownOf(throttle)} and ${last} <= clock_timestamp()) is not true`)
    .returning('id')
}

/** The next part, to be named `deduplicated`, after `added`: stores the fingerprint; returns no row for a duplicate. */
export function deduplicated(part: StatementBuilder, throttle: Throttle) {
  const row = sql`select counted.id, ${throttle.hash}::bytea, clock_timestamp(), ${throttle.kind}, added.id from counted, added`
  return insertFingerprint(part, throttle, row)
}

/** The same for an edited post, after `changed`. */
export function deduplicatedAnew(part: StatementBuilder, throttle: Throttle) {
  const row = sql`select ${throttle.memberId}::bigint, ${throttle.hash}::bytea, clock_timestamp(), ${throttle.kind}, changed.id from changed`
  return insertFingerprint(part, throttle, row)
}

function insertFingerprint(part: StatementBuilder, { hash, settings }: Throttle, row: RawBuilder<unknown>) {
  return part
    .insertInto('post_fingerprint')
    .columns(['member_id', 'hash', 'said_at', 'kind', 'post_id'])
    .expression(sql`${row} where ${hash}::bytea is not null`)
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'hash']).doUpdateSet((row) => ({
        said_at: row.ref('excluded.said_at'),
        kind: row.ref('excluded.kind'),
        post_id: row.ref('excluded.post_id'),
      })).where(sql<boolean>`post_fingerprint.said_at <= clock_timestamp() - make_interval(hours => ${settings.duplicateWindowHours}::int)
          or (post_fingerprint.kind, post_fingerprint.post_id) = (excluded.kind, excluded.post_id)`),
    )
    .returning('post_id')
}

/** The columns that the statement returns for `refuseIfThrottled`. */
export const isUnique = sql`exists (select from deduplicated) as "isUnique"`
export const passesThrottle = sql`exists (select from counted) as "isCounted", ${isUnique}`

export async function refuseIfThrottled(tx: Db, throttle: Throttle, done: { isCounted: boolean; isUnique: boolean }): Promise<void> {
  if (!done.isCounted) throw TooSoon({ seconds: await secondsLeft(tx, throttle) })
  if (throttle.hash && !done.isUnique) throw SaidAlready({ hours: throttle.settings.duplicateWindowHours })
}

/**
 * An edit may return to an earlier text of the same post, even if another post has the same text by now; earlier versions are read
 * only in that case.
 */
export async function refuseIfDuplicate(
  { hash, settings }: Throttle,
  isUnique: boolean,
  earlier: () => Promise<ComparedText[]>,
): Promise<void> {
  if (!hash || isUnique) return
  const earlierTexts = await earlier()
  if (!earlierTexts.some((text) => fingerprintOf(text).equals(hash))) throw SaidAlready({ hours: settings.duplicateWindowHours })
}

/** Deletes the fingerprint of a post, so that its author may post the same text again. */
export async function releaseText(tx: Db, memberId: string, kind: Kind, postId: string): Promise<void> {
  await tx.deleteFrom('post_fingerprint').where('member_id', '=', memberId).where('kind', '=', kind).where('post_id', '=', postId).execute()
}

/** The fingerprint of a post goes along with its content. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  await tx
    .updateTable('post_fingerprint')
    .set({ kind: to.kind, post_id: to.id })
    .where('kind', '=', from.kind)
    .where('post_id', '=', from.id)
    .execute()
}

/** Deletes expired fingerprints. */
export async function purgeExpiredTexts(tx: Db, { duplicateWindowHours }: Settings): Promise<void> {
  await tx
    .deleteFrom('post_fingerprint')
    .where('said_at', '<=', sql<Date>`clock_timestamp() - make_interval(hours => ${duplicateWindowHours}::int)`)
    .execute()
}

async function secondsLeft(tx: Db, throttle: Throttle): Promise<number> {
  const left = sql<number>`extract(epoch from ${sql.ref(tables[throttle.kind].lastAt)} + ${cooldownOf(throttle)} - clock_timestamp())::float8`
  const row = await tx.selectFrom('member').select(left.as('left')).where('id', '=', throttle.memberId).executeTakeFirstOrThrow()
  return Math.max(1, Math.ceil(row.left))
}

function cooldownOf({ kind, settings, isExempt }: Throttle) {
  const [seconds, whileNew] = tables[kind].cooldown.map((name) => settings[name])
  const free = isExempt ? 0 : null
  return sql`make_interval(secs => case when ${isNew(settings)} then ${free ?? whileNew}::int else ${free ?? seconds}::int end)`
}
