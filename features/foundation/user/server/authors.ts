import { sql, type Selectable } from 'kysely'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import type { Tables } from '#database/tables.ts'
import * as file from '#file/server/file.ts'
import * as role from '#role/server/role.ts'
import type { AuthorView } from '#user/contract.ts'

const cacheOf = rowCache<AuthorView>({ most: 20_000, freshMs: 60_000 })

/** The views of these members as authors, by id. One query for all that are not cached in this process. */
export async function authors(db: Db, memberIds: Iterable<string>): Promise<Map<string, AuthorView>> {
  const ids = [...new Set(memberIds)]
  if (ids.length === 0) return new Map()
  addCacheTags(ids.map(tagOf))
  // Uncommitted changes must not reach the cache.
  if (db.isTransaction) return loadAuthors(db, ids)
  return cacheOf(db).getOrLoad(ids, {
    load: (missing) => loadAuthors(primary(db), missing),
    tagsOf: (_, id) => [tagOf(id), 'role'],
  })
}

const tagOf = (memberId: string) => `member:${memberId}`

const authorRows = statement((db, { ids }: Parameters<{ ids: readonly string[] }>) =>
  db
    .selectFrom('member')
    .select([
      'id',
      'account',
      'nickname',
      'avatar',
      'is_official',
      'deactivated_at',
      'deactivated_as',
      role.namesHeldBy('member.id').as('roles'),
    ])
    .where('id', '=', sql<string>`any(${ids})`),
)

async function loadAuthors(db: Db, ids: readonly string[]): Promise<Map<string, AuthorView>> {
  const rows = await authorRows(db, { ids })
  return new Map(rows.map((row) => [row.id, authorView(row)]))
}

type AuthorRow = Pick<
  Selectable<Tables['member']>,
  'id' | 'account' | 'nickname' | 'avatar' | 'is_official' | 'deactivated_at' | 'deactivated_as'
> &
  Pick<AuthorView, 'roles'>

function authorView(row: AuthorRow): AuthorView {
  return {
    id: row.id,
    name: row.nickname ?? row.account,
    avatar: avatarPath(row.avatar),
    isOfficial: row.is_official,
    // The posts of a disabled member keep their author.
    isDeactivated: row.deactivated_at !== null && row.deactivated_as !== 'disabled',
    roles: row.roles,
  }
}

export function avatarPath(fileId: string | null): string | null {
  return fileId && file.srcOf(fileId)
}
