import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { memberView } from '#member/contract.ts'
import type { Kind } from '#kind/contract.ts'

type Record = Output<typeof memberView>['record']

/** The moderation record of a member. Each number is counted by an index that begins with the member. */
export async function recordOf(db: Db, memberId: string): Promise<Record> {
  const { rows } = await sql<Record>`select
    made.all as "reportsMade", made.upheld as "reportsUpheld", against.all as "reported", against.upheld as "reportedUpheld",
    reviewed.all as "reviewed", reviewed.rejected, topics.all as "topicsRemoved", comments.all as "commentsRemoved", replies.all as "repliesRemoved", actions.all as "actions"
    from
    (select count(*)::int as all, count(*) filter (where status = 'succeeded')::int as upheld from report where reporter_id = ${memberId}) as made,
    (select count(*)::int as all, count(*) filter (where outcome = 'succeeded')::int as upheld from report_case where author_id = ${memberId}) as against,
    (select count(*)::int as all, count(*) filter (where state = 'rejected')::int as rejected
      from review where author_id = ${memberId} and state <> 'waiting') as reviewed,
    ${removedOf('topic', memberId)} as topics, ${removedOf('comment', memberId)} as comments, ${removedOf('reply', memberId)} as replies,
    (select count(*)::int as all from audit_log where about = ${`member ${memberId}`}) as actions`.execute(db)
  const [record] = rows
  if (!record) throw new Error(`Nothing was counted of member ${memberId}`)
  return record
}

// The same posts as in the list of posts that staff removed.
function removedOf(table: Kind, memberId: string) {
  return sql`(select count(*)::int as all from ${sql.table(table)} where author_id = ${memberId} and status = 'deleted' and deleted_by = 'staff' and purged_at is null)`
}
