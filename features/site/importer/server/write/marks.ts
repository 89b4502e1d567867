import { sql } from 'kysely'
import { insertRows, type Db } from '#base/server/database/database.ts'
import type {
  SourceFavourite,
  SourceFollow,
  SourceLike,
  SourceMoved,
  SourceReadPosition,
  SourceUnlock,
  SourceVote,
} from '#importer/server/source.ts'
import { memberIds, newIds, postPlaces, record, type ImportContext } from '#importer/server/write/import-context.ts'

/** Addresses of threads that were moved or merged away lead to where they went. */
export async function writeMoved(tx: Db, context: ImportContext, moved: readonly SourceMoved[]): Promise<void> {
  const threads = await newIds(
    tx,
    context,
    'thread',
    moved.map(({ threadId }) => threadId),
  )
  const rows = moved.flatMap(({ id, threadId }) => {
    const newId = threads.get(threadId)
    return newId ? [{ kind: 'thread' as const, oldId: id, newId }] : []
  })
  await record(tx, context, rows)
}

export async function writeVotes(tx: Db, context: ImportContext, votes: readonly SourceVote[]): Promise<void> {
  const [members, threads] = await membersAndThreads(tx, context, votes)
  const options = await newIds(
    tx,
    context,
    'option',
    votes.flatMap(({ threadId, optionIds }) => optionIds.map((id) => `${threadId}/${id}`)),
  )
  const rows = votes.flatMap(({ threadId, memberId, optionIds, at }) => {
    const [topic, member] = [threads.get(threadId), members.get(memberId)]
    const chosen = optionIds.flatMap((id) => options.get(`${threadId}/${id}`) ?? [])
    return topic && member && chosen.length > 0 ? [{ topic, member, chosen: `{${chosen.join()}}`, at: at ?? context.now }] : []
  })
  await sql`
    insert into poll_ballot (topic_id, member_id, option_ids, voted_at)
    select topic, member, chosen::bigint[], at
    from unnest(${rows.map(({ topic }) => topic)}::bigint[], ${rows.map(({ member }) => member)}::bigint[],
      ${rows.map(({ chosen }) => chosen)}::text[], ${rows.map(({ at }) => at)}::timestamptz[]) as its (topic, member, chosen, at)
    where exists (select from poll where topic_id = topic)
    on conflict do nothing`.execute(tx)
}

/** Hidden parts that a member has opened stay open: they paid in the old program. */
export async function writeUnlocks(tx: Db, context: ImportContext, unlocks: readonly SourceUnlock[]): Promise<void> {
  const [members, threads] = await membersAndThreads(tx, context, unlocks)
  const rows = unlocks.flatMap(({ threadId, memberId, partId = null, lock = null }) => {
    const [topic, member] = [threads.get(threadId), members.get(memberId)]
    return topic && member ? [{ topic, member, part: partId, lock }] : []
  })
  await sql`
    insert into hidden.opened_before (part_id, member_id)
    select placed.id, member
    from unnest(${rows.map(({ topic }) => topic)}::bigint[], ${rows.map(({ member }) => member)}::bigint[], ${rows.map(({ part }) => part)}::text[],
        ${rows.map(({ lock }) => lock)}::text[]) as its (topic, member, its_part, its_lock)
      join hidden.placed on thread_id = topic and placed.lock in ('points', 'balance', 'password')
        and (its_part is null or placed.id = its_part) and (its_lock is null or placed.lock = its_lock)
    where its_part is not null or placed.topic_id = topic
    on conflict do nothing`.execute(tx)
}

/** Likes are counted here: they earn nobody points once more. */
export async function writeLikes(tx: Db, context: ImportContext, likes: readonly SourceLike[]): Promise<void> {
  const members = await memberIds(
    tx,
    context,
    likes.map(({ memberId }) => memberId),
  )
  const posts = await postPlaces(
    tx,
    context,
    likes.map(({ postId }) => postId),
  )
  const rows = likes.flatMap(({ postId, memberId, at }) => {
    const [post, member] = [posts.get(postId), members.get(memberId)]
    return post && member ? [{ kind: post.kind, id: post.id, member, at: at ?? context.now }] : []
  })
  await sql`
    with added as (
      insert into post_like (post_kind, post_id, member_id, at)
      select distinct on (kind, id, member) kind::post_kind, id, member, at
      from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ member }) => member)}::bigint[],
        ${rows.map(({ at }) => at)}::timestamptz[]) as its (kind, id, member, at)
      order by kind, id, member, at
      on conflict do nothing returning post_kind, post_id
    ), counted as (select post_kind as kind, post_id as id, count(*)::int as more from added group by 1, 2),
      topics as (update topic set like_count = like_count + more from counted where counted.kind = 'topic' and topic.id = counted.id),
      comments as (update comment set like_count = like_count + more from counted where counted.kind = 'comment' and comment.id = counted.id)
    update reply set like_count = like_count + more from counted where counted.kind = 'reply' and reply.id = counted.id`.execute(tx)
  await dropTallies(tx)
}

export async function writeFavourites(tx: Db, context: ImportContext, favourites: readonly SourceFavourite[]): Promise<void> {
  const [members, threads] = await membersAndThreads(tx, context, favourites)
  const found = favourites.flatMap(({ threadId, memberId, at, note = '', folder = null }) => {
    const [topic, member] = [threads.get(threadId), members.get(memberId)]
    return topic && member ? [{ topic, member, at: at ?? context.now, note, folder }] : []
  })
  const rows = await inFolders(tx, found)
  await sql`
    with added as (
      insert into favourite (topic_id, member_id, at, note, folder_id)
      select distinct on (topic, member) topic, member, at, note, folder from unnest(${rows.map(({ topic }) => topic)}::bigint[],
        ${rows.map(({ member }) => member)}::bigint[], ${rows.map(({ at }) => at)}::timestamptz[], ${rows.map(({ note }) => note)}::text[],
        ${rows.map(({ folderId }) => folderId)}::bigint[]) as its (topic, member, at, note, folder)
      order by topic, member, at
      on conflict do nothing returning topic_id
    ), counted as (select topic_id, count(*)::int as more from added group by 1)
    update topic set favourite_count = favourite_count + more from counted where topic.id = topic_id`.execute(tx)
  await dropTallies(tx)
}

type InFolder = { member: string; folder: { name: string; isPublic: boolean } | null }

/** The same with the ids of their folders, which are made where they are missing. */
async function inFolders<T extends InFolder>(tx: Db, rows: readonly T[]): Promise<(T & { folderId: string | null })[]> {
  const named = rows.flatMap(({ member, folder }) => (folder ? [{ member_id: member, name: folder.name, is_public: folder.isPublic }] : []))
  const wanted = [...new Map(named.map((one) => [`${one.member_id} ${one.name}`, one])).values()]
  if (wanted.length === 0) return rows.map((row) => ({ ...row, folderId: null }))
  const folders = await insertRows(tx, 'favourite_folder', wanted)
    // An update that changes nothing returns the folder that was there.
    .onConflict((conflict) => conflict.columns(['member_id', 'name']).doUpdateSet((row) => ({ name: row.ref('excluded.name') })))
    .returning(['id', 'member_id', 'name'])
    .execute()
  const ids = new Map(folders.map(({ id, member_id, name }) => [`${member_id} ${name}`, id]))
  return rows.map((row) => ({ ...row, folderId: row.folder ? (ids.get(`${row.member} ${row.folder.name}`) ?? null) : null }))
}

// The triggers noted what this transaction added, to be counted later, and rewarded.
async function dropTallies(tx: Db): Promise<void> {
  await sql`delete from tally where xmin = pg_current_xact_id()::xid`.execute(tx)
}

export async function writeFollows(tx: Db, context: ImportContext, follows: readonly SourceFollow[]): Promise<void> {
  const members = await memberIds(
    tx,
    context,
    follows.flatMap(({ of, id, memberId }) => (of === 'member' ? [id, memberId] : [memberId])),
  )
  const idsOf = (what: 'thread' | 'tag') =>
    newIds(
      tx,
      context,
      what,
      follows.flatMap(({ of, id }) => (of === what ? [id] : [])),
    )
  const found = { thread: await idsOf('thread'), tag: await idsOf('tag'), member: members }
  await writeBlocks(tx, context, members, follows)
  const rows = follows.flatMap(({ of, id, memberId, level, at, block }) => {
    if (block) return []
    const [target, member] = [found[of].get(id), members.get(memberId)]
    if (!target || !member || (of === 'member' && target === member)) return []
    return [{ of: of === 'thread' ? 'topic' : of, target, member, level: of === 'member' ? 'watching' : level, at: at ?? context.now }]
  })
  await sql`
    insert into follow (of, of_id, member_id, level, at)
    select * from unnest(${rows.map(({ of }) => of)}::text[], ${rows.map(({ target }) => target)}::bigint[],
      ${rows.map(({ member }) => member)}::bigint[], ${rows.map(({ level }) => level)}::text[], ${rows.map(({ at }) => at)}::timestamptz[])
    on conflict do nothing`.execute(tx)
}

async function writeBlocks(
  tx: Db,
  context: ImportContext,
  members: ReadonlyMap<string, string>,
  follows: readonly SourceFollow[],
): Promise<void> {
  const blocks = follows.flatMap(({ of, id, memberId, block, at }) => {
    const [other, member] = [members.get(id), members.get(memberId)]
    const isOne = of === 'member' && block && other && member && other !== member
    return isOne ? [{ member_id: member, other_id: other, how: block, at: at ?? context.now }] : []
  })
  if (blocks.length === 0) return
  await insertRows(tx, 'member_block', blocks)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function writeReadPositions(tx: Db, context: ImportContext, positions: readonly SourceReadPosition[]): Promise<void> {
  const [members, threads] = await membersAndThreads(tx, context, positions)
  const rows = positions.flatMap(({ threadId, memberId, number, at }) => {
    const [topic, member] = [threads.get(threadId), members.get(memberId)]
    return topic && member ? [{ topic, member, number, at: at ?? context.now }] : []
  })
  await sql`
    insert into topic_read_position (topic_id, member_id, floor, read_at)
    select topic, member, coalesce((
      select max(floor) from import_row join comment on comment.id = new_id::bigint
      where import_id = ${context.importId} and import_row.kind = 'comment' and import_row.topic_id = topic and import_row.number <= its.number), 0), at
    from unnest(${rows.map(({ topic }) => topic)}::bigint[], ${rows.map(({ member }) => member)}::bigint[],
      ${rows.map(({ number }) => number)}::int[], ${rows.map(({ at }) => at)}::timestamptz[]) as its (topic, member, number, at)
    on conflict do nothing`.execute(tx)
}

type OfThread = { threadId: string; memberId: string }

async function membersAndThreads(tx: Db, context: ImportContext, rows: readonly OfThread[]) {
  const members = await memberIds(
    tx,
    context,
    rows.map(({ memberId }) => memberId),
  )
  const threads = await newIds(
    tx,
    context,
    'thread',
    rows.map(({ threadId }) => threadId),
  )
  return [members, threads] as const
}
