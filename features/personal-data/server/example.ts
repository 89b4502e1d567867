import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'

/** What lies in a ZIP archive, by its names. */
export function unzipped(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, nameLength] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const start = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const bytes = archive.subarray(from, from + packed)
    files.set(name, method === 8 ? inflateRawSync(bytes) : bytes)
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
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
