import { sql, type Expression, type SqlBool } from 'kysely'
import { allOf, anyOf } from '#base/server/database/database.ts'
import type { Scope } from '#base/server/http/route.ts'

/** The condition that rows lie in the tags of a scope. */
export function within(scope: Scope, column = 'topic.tag_id'): Expression<SqlBool> {
  if ('only' in scope) return sql<boolean>`${sql.ref(column)} = ${anyOf(scope.only)}`
  if (scope.except.length === 0) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(column)} <> ${allOf(scope.except)}`
}
