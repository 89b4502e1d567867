import { sql } from 'kysely'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Hand } from '#base/server/route.ts'
import { SpeaksForStaff } from '#member/contract.ts'
import * as member from '#member/server/member.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'
import { AlreadyAtIt, GoneAlready, NobodyCalledSo, SameMember, type mergeLook } from '#tidying/contract.ts'

export type Pair = { from: string; into: string }

type Wish = Taken<typeof mergeLook>

/** The member that another is merged into. */
export async function other(db: Db, { memberId, into }: Wish) {
  const found = await db
    .selectFrom('member')
    .select(['id', 'account', 'nickname'])
    .select(sql<number>`topic_count + comment_count + reply_count`.as('posts'))
    .where('account_key', '=', user.nameKey(into))
    .executeTakeFirst()
  if (!found) throw NobodyCalledSo()
  if (found.id === memberId) throw SameMember()
  return found
}

/** Refuses two who cannot become one. */
export async function mustFit(db: Db, { from, into }: Pair): Promise<void> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'is_official', 'deactivated_at', isBeingCleaned.as('isBeingCleaned')])
    .where('id', 'in', [from, into])
    .execute()
  const [old, other] = [from, into].map((id) => rows.find((row) => row.id === id))
  if (!old) throw Missing()
  if (old.is_official || other?.is_official) throw SpeaksForStaff()
  if (other?.deactivated_at) throw GoneAlready()
  if (old.isBeingCleaned) throw AlreadyAtIt()
}

const isBeingCleaned = sql<boolean>`exists (
  select from member_cleaning where member_id = member.id and status in ('removing', 'restoring'))`

/** What goes over from one member to another and what ends with the account, before it is done. */
export async function look(db: Db, wish: Wish): Promise<Output<typeof mergeLook>> {
  const into = await other(db, wish)
  const { memberId } = wish
  await mustFit(db, { from: memberId, into: into.id })
  const [{ rows }, bans, held] = await Promise.all([
    sql<Record<'posts' | 'waiting' | 'notes' | 'reports' | 'drafts', number>>`select topic_count + comment_count + reply_count as posts,
      (select count(*)::int from review where author_id = member.id and state = 'waiting') as waiting,
      (select count(*)::int from member_note where member_id = member.id) as notes,
      (select count(*)::int from report where reporter_id = member.id) as reports,
      (select count(*)::int from draft where member_id = member.id) as drafts
      from member where id = ${memberId}`.execute(db),
    member.runningBans(db, memberId),
    role.heldNow(db, memberId),
  ])
  const counts = rows[0] ?? { posts: 0, waiting: 0, notes: 0, reports: 0, drafts: 0 }
  return {
    into,
    ...counts,
    bans: bans.map(({ from, endsAt }) => ({ from, endsAt: endsAt?.toISOString() ?? null })),
    roles: held.map(({ name_zh: zh, name_en: en }) => ({ zh, en })),
  }
}

// The files of posts, or their new author could not edit them; what waits, was told or was decided of the posts; what could still be undone;
// what staff know of the person. What was said lately and how far was read ends.
export async function giveRest(tx: Db, { from, into }: Pair): Promise<void> {
  await sql`update file set owner_id = ${into} where owner_id = ${from} and id <> coalesce((select avatar from member where id = ${from}), '')`.execute(
    tx,
  )
  for (const table of ['review', 'report_case', 'removal'])
    await sql`update ${sql.table(table)} set author_id = ${into} where author_id = ${from}`.execute(tx)
  await sql`update removal set removed_by_member = ${into} where removed_by_member = ${from}`.execute(tx)
  // Who both reported one thing stays the one who reported it.
  await sql`update report set reporter_id = ${into} where reporter_id = ${from}
    and not exists (select from report as theirs where theirs.case_id = report.case_id and theirs.reporter_id = ${into})`.execute(tx)
  for (const table of ['notice', 'member_note', 'feedback'])
    await sql`update ${sql.table(table)} set member_id = ${into} where member_id = ${from}`.execute(tx)
  await sql`update member_cleaning set member_id = ${into}, disabled = false where member_id = ${from}`.execute(tx)
  for (const table of ['said', 'topic_read', 'draft']) await sql`delete from ${sql.table(table)} where member_id = ${from}`.execute(tx)
}

/** Whoever is two people is kept from what either is kept from, for as long as the longer of the two. Gives back what is new. */
export async function giveBans(tx: Db, by: Hand, { from, into }: Pair): Promise<string[]> {
  const theirs = new Map((await member.runningBans(tx, into)).map((ban) => [ban.from, ban.endsAt]))
  const longer = (await member.runningBans(tx, from)).filter(({ from: kind, endsAt }) => {
    const end = theirs.get(kind)
    return end === undefined || (end !== null && (endsAt === null || endsAt > end))
  })
  for (const { from: kind, endsAt, reason } of longer) await member.giveBans(tx, by, { memberId: into, from: [kind], endsAt, reason })
  return longer.map(({ from: kind }) => kind)
}
