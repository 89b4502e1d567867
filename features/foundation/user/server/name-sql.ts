import { sql, type RawBuilder } from 'kysely'

/** The present name of the member that a column references. */
export function nameSql(column: string): RawBuilder<string> {
  return sql`(select coalesce(nickname, account) from member where member.id = ${sql.ref(column)})`
}
