import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { allOf, anyOf } from '#base/server/database/database.ts'
import type { Parameters } from '#base/server/database/statement.ts'
import type { Scope } from '#base/server/http/route.ts'

/** The condition that rows lie in the tags of a scope. */
export function within(scope: Scope, column = 'topic.tag_id'): Expression<SqlBool> {
  if ('only' in scope) return sql<boolean>`${sql.ref(column)} = ${anyOf(scope.only)}`
  if (scope.except.length === 0) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(column)} <> ${allOf(scope.except)}`
}

export type ScopeIds = { only: readonly string[] | null; except: readonly string[] }

/** A scope as the values of a statement that is built once. */
export function scopeIds(scope: Scope): ScopeIds {
  return 'only' in scope ? { only: scope.only, except: [] } : { only: null, except: scope.except }
}

/** The condition that rows lie in the tags of a scope, for a statement that is built once. */
export function isSeen({ only, except }: Parameters<ScopeIds>, column: string): RawBuilder<boolean> {
  const tagId = sql.ref(column)
  return sql<boolean>`(${only}::bigint[] is null or ${tagId} = any(${only}::bigint[])) and ${tagId} <> all(${except}::bigint[])`
}
