import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { nameOf, type Kind, type ThreadKind } from '#kind/contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { rewardRules, type RewardRule } from '#wallet/contract.ts'
import { toRefusal } from '#wallet/server/post.ts'

type Post = { kind: Kind; id: string }
/** A published post; `at` if it was published at another time than now. */
type PublishedPost = Post & { authorId: string; thread: { kind: ThreadKind }; at?: Date | undefined }

/**
 * Posts were published: their authors earn points by the rules, within the daily limits, or the points that the post gave before. Sent
 * together with the next statement of the transaction, or its commit.
 */
export async function award(tx: Db, posts: readonly PublishedPost[]): Promise<void> {
  const earners = posts.map(({ kind, id, authorId, thread, at }) => ({
    kind,
    id,
    member: authorId,
    rule: nameOf({ kind, thread: thread.kind }),
    at,
  }))
  await giveRewards(tx, earners)
}

/** Answers were accepted. */
export async function awardAdopted(tx: Db, answers: readonly { id: string; authorId: string }[]): Promise<void> {
  await giveRewards(
    tx,
    answers.map(({ id, authorId: member }) => ({ kind: 'comment', id, member, rule: 'adopted' })),
  )
}

type Earner = Post & { member: string; rule: RewardRule; at?: Date | undefined }

async function giveRewards(tx: Db, earners: readonly Earner[]): Promise<void> {
  if (earners.length === 0) return
  const terms = termsOf(await setting.all(tx))
  await sql`/* with the commit */ select grant_rewards(${JSON.stringify(earners)}::json, ${JSON.stringify(terms)}::json)`.execute(tx)
}

/** Posts were removed: their points are taken back, and owed if they were spent. */
export async function revokeAward(tx: Db, posts: readonly Post[]): Promise<void> {
  await takeRewards(
    tx,
    posts.map(({ kind, id }) => ({ kind, id, isAdoption: false })),
  )
}

/** Answers are no longer accepted. */
export async function revokeAdopted(tx: Db, commentIds: readonly string[]): Promise<void> {
  await takeRewards(
    tx,
    commentIds.map((id) => ({ kind: 'comment', id, isAdoption: true })),
  )
}

async function takeRewards(tx: Db, posts: readonly (Post & { isAdoption: boolean })[]): Promise<void> {
  if (posts.length > 0) await sql`/* with the commit */ select revoke_rewards(${JSON.stringify(posts)}::json)`.execute(tx)
}

/** Posts move to another member with their points. */
export async function transferRewards(tx: Db, posts: readonly Post[], memberId: string): Promise<void> {
  const refs = posts.map(({ kind, id }) => ({ kind, id }))
  if (refs.length > 0) await sql`select transfer_rewards(${JSON.stringify(refs)}::json, ${memberId})`.execute(tx).catch(toRefusal)
}

const batchSize = 500

/** Settles the rewards that changed while the ledger was frozen. Returns true if there may be more. */
export async function settleRewards(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ settled: number }>`select settle_rewards(${batchSize}) as settled`.execute(tx)
  return rows[0]?.settled === batchSize
}

/** A like was added or removed. */
export type LikeChange = Post & { liker: string }

/** Likes were added or removed: the authors earn points by the rule, within its limits, or lose them. */
export async function rewardLikes(tx: Db, changes: readonly LikeChange[]): Promise<void> {
  if (changes.length === 0) return
  const terms = termsOf(await setting.all(tx))
  await sql`select grant_like_rewards(${JSON.stringify(changes)}::json, ${JSON.stringify(terms)}::json)`.execute(tx)
}

/** Whether likes give points, or gave some that may have to be taken back. */
export async function mayRewardLikes(tx: Db): Promise<boolean> {
  const { likedPoints } = await setting.all(tx)
  if (likedPoints > 0) return true
  const { rows } = await sql`select from reward where liker_id is not null limit 1`.execute(tx)
  return rows.length > 0
}

/** Merges two members as likers: each post keeps one reward of either. */
export async function mergeLikers(tx: Db, { from, into }: { from: string; into: string }): Promise<void> {
  await sql`update reward set liker_id = ${into} where liker_id = ${from} and not exists (
    select from reward as same where same.post_kind = reward.post_kind and same.post_id = reward.post_id and same.liker_id = ${into})`.execute(
    tx,
  )
}

/** The points of a rule and its daily maximum; null without a limit. */
export function termOf(settings: Settings, rule: RewardRule): { points: number; most: number | null } {
  return { points: settings[`${rule}Points`], most: settings[`${rule}PointsPerDay`] || null }
}

function termsOf(settings: Settings) {
  const rules = Object.fromEntries(rewardRules.map((rule) => [rule, termOf(settings, rule)]))
  const liked = { ...termOf(settings, 'liked'), mostFromOne: settings.likedPointsPerDayFromOneMember || null }
  return { most: settings.pointsPerDay || null, ...rules, liked }
}
