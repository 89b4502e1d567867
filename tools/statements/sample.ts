import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'

// Sample statements for the test of declared rows. They never run.

type Kind = 'comment' | 'reply'

/** Composed in all the ways in use, and declared correctly. */
export async function rightlyDeclared(db: Db, kind: Kind, ids: readonly string[], isNamed: boolean) {
  const columns = [sql`its.id`, sql`its.published_at as at`]
  if (isNamed) columns.push(sql`member.account as name`)
  const { rows } = await sql<{ id: string; at: Date; name?: string }>`
    select ${sql.join(columns, sql`, `)} from ${sql.table(kind)} as its ${isNamed ? sql`join member on member.id = its.author_id` : sql``}
    where its.id = ${anyOf(ids)} and ${under(kind, ids)}`.execute(db)
  const floors = await db
    .selectFrom('comment')
    .select(['floor', sql<number>`floor * 2`.as('twice')])
    .where('floor', 'is not', null)
    .$narrowType<{ floor: number }>()
    .execute()
  return { rows, floors, counted: await counted(db, sql`from topic where author_id = ${ids[0]}`) }
}

function under(kind: Kind, ids: readonly string[]): RawBuilder<boolean> {
  switch (kind) {
    case 'comment':
      return sql`its.topic_id = ${anyOf(ids)}`
    case 'reply':
      return sql`its.comment_id = ${anyOf(ids)}`
  }
}

async function counted(db: Db, found: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ count: string }>`select count(*) as count ${found}`.execute(db)
  return rows[0]?.count ?? '0'
}

export const wronglyDeclared = {
  wholeNumber: (db: Db) => sql<{ count: number }>`select count(*) as count from topic`.execute(db),
  builtNumber: (db: Db) =>
    db
      .selectFrom('topic')
      .select(sql<number>`count(*)`.as('count'))
      .execute(),
  misspelt: (db: Db) => sql<{ topicId: string }>`select id as "topicID" from topic`.execute(db),
  missing: (db: Db) => sql<{ id: string; title: string }>`select id from topic`.execute(db),
  text: (db: Db) => sql<{ at: string }>`select published_at as at from topic`.execute(db),
  list: (db: Db) => sql<{ ids: number[] }>`select array_agg(id) as ids from topic`.execute(db),
  json: (db: Db) => sql<{ body: Date[] }>`select body from topic`.execute(db),
  nullable: (db: Db) => sql<{ floor: number }>`select floor from comment`.execute(db),
  outer: (db: Db) =>
    sql<{ id: string; title: string }>`
    select comment.id, topic.title from comment left join topic on topic.id = comment.topic_id and topic.is_resolved limit ${10}`.execute(
      db,
    ),
  inOneWay: (db: Db, kind: Kind) =>
    sql<{
      id: string
      floor: string | null
    }>`select id, ${kind === 'reply' ? sql`null` : sql`floor`} as floor from ${sql.table(kind)}`.execute(db),
}

export const notEvenSql = {
  table: (db: Db) => sql`select from topics`.execute(db),
  type: (db: Db) => sql`select 1 where ${'a'}::bigint = 'b'::text`.execute(db),
}

export async function untold(db: Db, part: { sql: RawBuilder<unknown> }) {
  return sql`select ${part.sql}`.execute(db)
}
