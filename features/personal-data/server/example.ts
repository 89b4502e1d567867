import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { unzip } from '#base/server/unzip.ts'

/** What lies in a ZIP archive, by its names. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  return new Map((await unzip(archive, 100_000_000)).map(({ name, bytes }) => [name.toString(), bytes]))
}

/** Every column that names a member, as the database knows them. */
export async function columnsOfMembers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select case nspname when 'public' then '' else nspname || '.' end || relname || '.' || attname as name
    from pg_constraint as its join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'member'::regclass order by name`.execute(db)
  return rows.map(({ name }) => name)
}
