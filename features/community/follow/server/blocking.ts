import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Member } from '#base/server/http/route.ts'
import { maxBlocked, TooManyBlocked, Yourself, type block, type blockList, type BlockLevel } from '#follow/contract.ts'
import * as notification from '#notification/server/notification.ts'
import * as user from '#user/server/user.ts'

/** Locks the relation of two members until the transaction ends. The statement is sent together with the next one. */
export async function lockRelation(tx: Db, mine: string, theirs: string): Promise<void> {
  const pair = [mine, theirs].toSorted().join(' ')
  await sql`/* with the commit */ select pg_advisory_xact_lock(hashtextextended(${`blocking ${pair}`}, 0))`.execute(tx)
}

export async function lockedRelation(
  tx: Db,
  mine: string,
  theirs: string,
): Promise<{ mine: BlockLevel | null; theirs: BlockLevel | null }> {
  await lockRelation(tx, mine, theirs)
  const rows = await tx
    .selectFrom('member_block')
    .select(['member_id', 'how'])
    .where((row) =>
      row.or([
        row.and([row('member_id', '=', mine), row('other_id', '=', theirs)]),
        row.and([row('member_id', '=', theirs), row('other_id', '=', mine)]),
      ]),
    )
    .execute()
  const of = (id: string) => rows.find((row) => row.member_id === id)?.how ?? null
  return { mine: of(mine), theirs: of(theirs) }
}

/** Mutes or blocks a member, or changes one to the other. A block ends following in both directions. */
export async function add(tx: Db, member: Member, { userId, way }: ParsedInput<typeof block>): Promise<void> {
  if (userId === member.id) throw Yourself()
  const before = await lockedRelation(tx, member.id, userId)
  if (!before.mine) await refuseTooMany(tx, member, userId)
  await tx
    .insertInto('member_block')
    .values({ member_id: member.id, other_id: userId, how: way })
    .onConflict((there) => there.columns(['member_id', 'other_id']).doUpdateSet({ how: way }))
    .execute()
  if (way === 'muted') return
  await sql`
    delete from follow where of = 'member' and (of_id, member_id) in (
      (${userId}::bigint, ${member.id}::bigint), (${member.id}::bigint, ${userId}::bigint))`.execute(tx)
  await notification.retract(tx, { memberId: member.id, kind: 'followed', actorId: userId })
  await notification.retract(tx, { memberId: userId, kind: 'followed', actorId: member.id })
  invalidate(tx, `following:${member.id}`, `following:${userId}`)
}

async function refuseTooMany(tx: Db, member: Member, userId: string): Promise<void> {
  if (!(await tx.selectFrom('member').select('id').where('id', '=', userId).executeTakeFirst())) throw Missing()
  const { count } = await tx
    .selectFrom('member_block')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', member.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxBlocked) throw TooManyBlocked()
}

export async function remove(tx: Db, member: Member, userId: string): Promise<void> {
  await tx.deleteFrom('member_block').where('member_id', '=', member.id).where('other_id', '=', userId).execute()
}

export async function mutedBy(db: Db, member: Member): Promise<string[]> {
  const rows = await db.selectFrom('member_block').select('other_id').where('member_id', '=', member.id).execute()
  return rows.map(({ other_id }) => other_id)
}

export async function list(db: Db, member: Member, { page }: ParsedInput<typeof blockList>): Promise<Output<typeof blockList>> {
  const which = db.selectFrom('member_block').select(['other_id as member_id', 'at', 'how']).where('member_id', '=', member.id)
  const { people, ...pages } = await user.peoplePage(db, which, page)
  return { blocked: people.map(({ member: other, at, row }) => ({ member: other, way: row.how, at })), ...pages }
}
