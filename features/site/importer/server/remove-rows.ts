import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

type Reference = { table: string; columns: string[]; referred: string[]; isNullable: boolean }

/**
 * Deletes the rows of a table whose ids are in the temporary table `gone`, after all that refers to them: a row that cannot be without them goes too,
 * and another forgets them. Returns how many rows of the table itself went.
 */
export async function removeRows(tx: Db, table: string): Promise<number> {
  const which = sql`id::text in (select id from gone where kind = ${table})`
  await removeReferring(tx, `public.${table}`, which, [])
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${which}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function removeReferring(tx: Db, table: string, which: RawBuilder<unknown>, above: readonly string[]): Promise<void> {
  for (const { table: child, columns, referred, isNullable } of await referencesTo(tx, table)) {
    const named = sql.join(
      columns.map((name) => sql.ref(name)),
      sql`, `,
    )
    const those = sql`(${named}) in (select ${sql.join(
      referred.map((name) => sql.ref(name)),
      sql`, `,
    )} from ${sql.table(table)} where ${which})`
    // Some tables refuse even a statement that changes nothing.
    if (!(await exists(tx, child, those))) continue
    const [first = ''] = columns
    if (isNullable) await sql`update ${sql.table(child)} set ${sql.ref(first)} = null where ${those}`.execute(tx)
    else if (!above.includes(child) && child !== table) {
      await removeReferring(tx, child, those, [...above, table])
      await sql`delete from ${sql.table(child)} where ${those}`.execute(tx)
    }
  }
}

async function exists(tx: Db, table: string, which: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`select exists (select from ${sql.table(table)} where ${which}) as "isThere"`.execute(tx)
  return rows[0]?.isThere === true
}

/** The foreign keys to a table that do not take care of themselves. */
async function referencesTo(tx: Db, table: string): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select its.conrelid::regclass::text as table,
      array(select attname::text from unnest(conkey) with ordinality as key (number, place) join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns,
      array(select attname::text from unnest(confkey) with ordinality as key (number, place) join pg_attribute on attrelid = confrelid and attnum = number order by place) as referred,
      cardinality(conkey) = 1 and not (select attnotnull from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as "isNullable"
    from pg_constraint as its
    where contype = 'f' and confrelid = ${table}::regclass and confdeltype in ('a', 'r')
    order by 1, 2`.execute(tx)
  return rows
}
