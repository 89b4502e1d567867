import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { StaffActor, Staff } from '#base/server/http/route.ts'
import { claimMinutes, ClaimedByOther, SettledAlready, type reviewQueue, type reviewTags, type WaitingView } from '#review/contract.ts'
import { mayDecideAbout, refuseOwn } from '#review/server/own-post.ts'
import { withoutRemoved, summary } from '#review/server/rows.ts'
import * as tag from '#tag/server/tag.ts'
import { postCalled } from '#kind/contract.ts'
import * as user from '#user/server/user.ts'

const id = sql`review.id`
const keys = { asked: { by: sql`review.asked_at`, as: 'timestamptz' } } as const
const isClaimed = sql<boolean>`(claimed_until > clock_timestamp()) is true`

export async function list(db: Db, by: Staff, input: ParsedInput<typeof reviewQueue>): Promise<Output<typeof reviewQueue>> {
  let query = waiting(db).where('review.state', '=', 'waiting')
  if (input.kind)
    query = query.where('review.kind', '=', postCalled(input.kind).kind).where('topic.kind', '=', postCalled(input.kind).thread)
  if (input.tagId) query = query.where(sql<boolean>`topic.tag_id in (select id from tag where ${input.tagId} in (id, parent_id))`)
  if (input.author) query = query.where(sql<boolean>`review.author_id in (${user.memberIdsNamed(input.author)})`)
  if (input.claimed === 'nobody') query = query.where(sql<boolean>`not ${isClaimed}`)
  if (input.claimed === 'me') query = query.where(isClaimed).where('claimed_by', '=', by.staff.id)
  if (input.claimed === 'others') query = query.where(isClaimed).where('claimed_by', '<>', by.staff.id)
  const page = await paged(db, query, { ...input, keys, id })
  return { ...page, rows: await views(db, by, page.rows) }
}

/** Tags with pending posts, most first. */
export async function tags(db: Db): Promise<Output<typeof reviewTags>> {
  const [rows, places] = await Promise.all([
    withoutRemoved(db)
      .where('review.state', '=', 'waiting')
      .select((row) => ['topic.tag_id', row.fn.countAll<string>().as('count')])
      .groupBy('topic.tag_id')
      .orderBy('count', 'desc')
      .execute(),
    tag.places(db),
  ])
  return {
    tags: rows.flatMap(({ tag_id, count }) => {
      const place = places.get(tag_id)
      return place ? [{ place, count: Number(count) }] : []
    }),
  }
}

/** A pending review; missing once it is decided. */
export async function find(db: Db, by: Staff, reviewId: string): Promise<WaitingView> {
  const rows = await waiting(db).where('review.id', '=', reviewId).where('review.state', '=', 'waiting').execute()
  const [view] = await views(db, by, rows)
  if (!view) throw Missing()
  return view
}

export async function claim(tx: Db, by: Staff, reviewId: string): Promise<{ until: string }> {
  const review = await tx.selectFrom('review').select('author_id').where('id', '=', reviewId).executeTakeFirst()
  if (!review) throw Missing()
  await refuseOwn(tx, by, review.author_id)
  const { staff: actor } = by
  const until = sql<Date>`clock_timestamp() + make_interval(mins => ${claimMinutes}::int)`
  const claimed = await tx
    .updateTable('review')
    .set({ claimed_by: actor.id, claimed_until: until })
    .where('id', '=', reviewId)
    .where('state', '=', 'waiting')
    .where((row) => row.or([row('claimed_by', '=', actor.id), sql<boolean>`not ${isClaimed}`]))
    .returning('claimed_until')
    .executeTakeFirst()
  if (!claimed?.claimed_until) throw await refusalFor(tx, reviewId)
  return { until: claimed.claimed_until.toISOString() }
}

export async function unclaim(tx: Db, actor: StaffActor, reviewId: string): Promise<void> {
  const nobody = { claimed_by: null, claimed_until: null }
  await tx.updateTable('review').set(nobody).where('id', '=', reviewId).where('claimed_by', '=', actor.id).execute()
}

async function refusalFor(tx: Db, reviewId: string) {
  const row = await tx
    .selectFrom('review')
    .leftJoin('staff', 'staff.id', 'claimed_by')
    .select(['state', 'account'])
    .where('review.id', '=', reviewId)
    .executeTakeFirst()
  if (!row) return Missing()
  return row.state === 'waiting' ? ClaimedByOther({ who: row.account ?? '?' }) : SettledAlready()
}

function waiting(db: Db) {
  return withoutRemoved(db)
    .leftJoin('staff', 'staff.id', 'review.claimed_by')
    .select([
      'review.id',
      'review.version',
      'review.kind',
      'topic.kind as thread',
      'review.post_id',
      'review.topic_id',
      'topic.title',
      'topic.tag_id',
    ])
    .select(['review.is_edit', 'review.author_id', 'review.why', 'review.words', 'review.asked_at', 'review.claimed_until'])
    .select(['staff.account as claimer', 'review.claimed_by', isClaimed.as('is_claimed'), summary.as('summary')])
}

type Row = Awaited<ReturnType<ReturnType<typeof waiting>['execute']>>[number]

async function views(db: Db, by: Staff, rows: readonly Row[]): Promise<WaitingView[]> {
  const [mayDecide, people, places] = await Promise.all([
    mayDecideAbout(db, by),
    user.authors(
      db,
      rows.map((row) => row.author_id),
    ),
    tag.places(db),
  ])
  return rows.flatMap((row) => {
    const author = people.get(row.author_id)
    const place = places.get(row.tag_id)
    if (!author || !place) return []
    const { id, version, kind, thread, title, why, words, summary } = row
    const where = { postId: row.post_id, topicId: row.topic_id, isEdit: row.is_edit }
    return [
      {
        id,
        version,
        kind,
        thread,
        ...where,
        title,
        summary,
        author,
        place,
        why,
        words,
        askedAt: row.asked_at.toISOString(),
        claimedBy: claimView(by.staff, row),
        mayDecide: mayDecide(row.author_id),
      },
    ]
  })
}

function claimView(actor: StaffActor, { is_claimed, claimer, claimed_by, claimed_until }: Row): WaitingView['claimedBy'] {
  if (!is_claimed || !claimer || !claimed_until) return null
  return { account: claimer, isMe: claimed_by === actor.id, until: claimed_until.toISOString() }
}
