import { sql, type Expression, type SqlBool } from 'kysely'
import type { Scope } from '#base/server/route.ts'

/** The condition that rows lie in the tags of a scope. */
export function within(scope: Scope, column = 'topic.tag_id'): Expression<SqlBool> {
  if ('only' in scope) return sql<boolean>`${sql.ref(column)} = any(${scope.only}::bigint[])`
  if (scope.except.length === 0) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(column)} <> all(${scope.except}::bigint[])`
}
