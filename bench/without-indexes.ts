import type pg from 'pg'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'

type Tables = { tables: readonly string[]; /** Indexes that stay. */ needed: readonly string[] }

/** Runs `fill` while these tables have no foreign keys and few indexes beside the unique ones, and then builds the others in one go. */
export async function withoutIndexes(ownerUrl: string, tables: Tables, fill: () => Promise<void>): Promise<void> {
  const [client, other] = await Promise.all([connectAsOwner(ownerUrl), connectAsOwner(ownerUrl)])
  try {
    const { keys, indexes } = await drop(client, tables)
    await fill()
    for (const one of [client, other]) await one.query("set maintenance_work_mem = '512MB'")
    // GIN indexes are built by one processor each.
    await inTurn([client, other], indexes)
    await inTurn([client], keys)
  } finally {
    await Promise.all([client.end(), other.end()])
  }
}

/** Drops them, and returns the statements that create them again. */
async function drop(client: pg.Client, { tables, needed }: Tables): Promise<{ keys: string[]; indexes: string[] }> {
  const keys = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where contype = 'f' and conrelid = any($1::text[]::regclass[])`,
    [tables],
  )
  const indexes = await client.query<{ drop: string; create: string }>(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
     from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
     where not indisunique and indrelid = any($1::text[]::regclass[]) and not relname = any($2::text[])
     order by amname desc`,
    [tables, needed],
  )
  for (const { drop: statement } of [...keys.rows, ...indexes.rows]) await client.query(statement)
  return { keys: keys.rows.map((row) => row.create), indexes: indexes.rows.map((row) => row.create) }
}

async function inTurn(clients: readonly pg.Client[], statements: readonly string[]): Promise<void> {
  const left = [...statements]
  await Promise.all(
    clients.map(async (client) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await client.query(next)
    }),
  )
}
