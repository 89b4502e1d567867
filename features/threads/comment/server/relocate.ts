import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

type FloorRow = { floor: number | null; author_floor: number | null }
type MovingComment = FloorRow & {
  id: string
  author_id: string
  /** A placeholder of a comment that became an opening, without replies. */
  isEmpty: boolean
  /** The placeholder it left in the target topic, if it was there before. */
  tombstoneId: string | null
  tombstoneFloor: number | null
  tombstoneAuthorFloor: number | null
}

/**
 * Moves comments with all their replies to another topic: to the next floors, oldest first, or to their former floors there.
 * Placeholders stay on the old floors and redirect. Both topics must be locked. Returns the ids of moved comments.
 */
export async function relocate(tx: Db, from: posts.Thread, to: posts.Thread, which: readonly string[] | 'all'): Promise<string[]> {
  const rows = await lockComments(tx, from, to, which)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const present = await posts.visibleUnder(tx, from, ids)
  const { places, ...floors } = assignFloors(to, rows)
  await deleteTombstones(tx, rows)
  await sql`
    update comment set topic_id = ${to.id}, thread_kind = ${to.kind}, floor = place.floor, author_floor = place.author_floor
    from ${floorTable(ids, places)} where comment.id = place.id`.execute(tx)
  if (from.kind !== to.kind) await tx.updateTable('reply').set({ thread_kind: to.kind }).where('comment_id', '=', anyOf(ids)).execute()
  await leaveTombstones(tx, from, rows)
  await writing.moveReviews(tx, to.id, ids)
  await carryReadPositions(tx, from, to, rows, places)
  await posts.setFloors(tx, to.id, floors)
  await posts.onMoved(tx, present, to)
  return ids
}

// Replies do not move alone, and placeholders do not move.
async function lockComments(tx: Db, from: posts.Thread, to: posts.Thread, which: readonly string[] | 'all'): Promise<MovingComment[]> {
  const those = which === 'all' ? sql`true` : sql`comment.id = any(${which}::bigint[])`
  const { rows } = await sql<MovingComment>`
    select comment.id, comment.author_id, comment.floor, comment.author_floor,
      comment.became is not null and not exists (select from reply where reply.comment_id = comment.id) as "isEmpty",
      tombstone.id as "tombstoneId", tombstone.floor as "tombstoneFloor", tombstone.author_floor as "tombstoneAuthorFloor"
    from comment left join comment as tombstone on tombstone.moved_to = comment.id and tombstone.topic_id = ${to.id}
    where comment.topic_id = ${from.id} and comment.moved_to is null and ${those}
    order by comment.published_at, comment.id for update of comment`.execute(tx)
  return rows
}

function assignFloors(to: posts.Thread, rows: readonly MovingComment[]): { places: FloorRow[]; floors: number; author_floors: number } {
  let [floors, authorFloors] = [to.floors, to.authorFloors]
  const places = rows.map((row): FloorRow => {
    if (row.tombstoneId && row.isEmpty && row.tombstoneFloor === floors) {
      // The last floor is freed, since nothing is left on it.
      floors--
      if (row.tombstoneAuthorFloor !== null) authorFloors--
      return { floor: null, author_floor: null }
    }
    if (row.tombstoneId) return { floor: row.tombstoneFloor, author_floor: row.tombstoneAuthorFloor }
    // Pending comments have no floor yet.
    if (row.floor === null || row.isEmpty) return { floor: null, author_floor: null }
    return { floor: ++floors, author_floor: row.author_id === to.authorId ? ++authorFloors : null }
  })
  return { places, floors, author_floors: authorFloors }
}

async function deleteTombstones(tx: Db, rows: readonly MovingComment[]): Promise<void> {
  const tombstones = rows.flatMap(({ tombstoneId }) => tombstoneId ?? [])
  if (tombstones.length > 0) await tx.deleteFrom('comment').where('id', '=', anyOf(tombstones)).execute()
}

async function leaveTombstones(tx: Db, from: posts.Thread, rows: readonly MovingComment[]): Promise<void> {
  const placed = rows.filter(({ floor }) => floor !== null)
  const ids = placed.map(({ id }) => id)
  await sql`
    insert into comment (topic_id, thread_kind, author_id, floor, author_floor, body, segments, text, status, deleted_by, published_at, deleted_at, purged_at, moved_to)
    select ${from.id}, ${from.kind}, author_id, place.floor, place.author_floor, ${posts.blank.body}, ${posts.blank.segments}, '', 'deleted', 'staff',
      published_at, clock_timestamp(), clock_timestamp(), comment.id
    from comment join ${floorTable(ids, placed)} on place.id = comment.id`.execute(tx)
}

/** A member who has read all of the target topic has read there as far as here. A new topic counts as read entirely. */
async function carryReadPositions(
  tx: Db,
  from: posts.Thread,
  to: posts.Thread,
  rows: readonly MovingComment[],
  places: readonly FloorRow[],
): Promise<void> {
  const pairs = rows.flatMap(({ floor }, index) => {
    const newFloor = places[index]?.floor
    return floor && newFloor && newFloor > to.floors ? [{ floor, there: newFloor }] : []
  })
  await sql`
    insert into topic_read_position (member_id, topic_id, floor)
    select here.member_id, ${to.id}, max(pair.there)
    from topic_read_position as here
      join unnest(${pairs.map(({ floor }) => floor)}::int[], ${pairs.map(({ there }) => there)}::int[]) as pair(floor, there)
        on pair.floor <= here.floor
      left join topic_read_position as known on known.member_id = here.member_id and known.topic_id = ${to.id}
    where here.topic_id = ${from.id} and coalesce(known.floor, 0) >= ${to.floors}::int
    group by here.member_id
    on conflict (member_id, topic_id) do update set floor = greatest(topic_read_position.floor, excluded.floor)`.execute(tx)
}

function floorTable(ids: readonly string[], places: readonly FloorRow[]) {
  const [floors, authorFloors] = [places.map(({ floor }) => floor), places.map(({ author_floor }) => author_floor)]
  return sql`unnest(${ids}::bigint[], ${floors}::int[], ${authorFloors}::int[]) as place(id, floor, author_floor)`
}
