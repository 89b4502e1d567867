import { readFile } from 'node:fs/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import * as discourse from '#importer/server/discourse/addresses.ts'
import * as discuz from '#importer/server/discuz/addresses.ts'
import * as diyhi from '#importer/server/diyhi/addresses.ts'
import * as flarum from '#importer/server/flarum/addresses.ts'
import * as nodebb from '#importer/server/nodebb/addresses.ts'
import * as phpbb from '#importer/server/phpbb/addresses.ts'
import * as teahouse from '#importer/server/teahouse/addresses.ts'
import type { Program, Reader, TargetOf } from '#importer/server/source.ts'
import { refusePassword } from '#importer/server/tables/connection.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

/** Where a community comes from, as the operator names it. */
export type SourceOptions = {
  /** An address such as `mysql://user@host/database`, or the path of a dump or a SQLite file. */
  from: string
  /** The folder of its files. */
  files: string | null
  password: string
  prefix: string | undefined
  charset: string | undefined
  /** Its address, where the program does not say it. */
  origin: string | undefined
}

type Importer = { targetOf: TargetOf; open(options: SourceOptions): Promise<Reader> }

// What reads a program is loaded when it is opened: a running forum needs its addresses alone.
export const importers: Readonly<Partial<Record<Program, Importer>>> = {
  phpbb: {
    targetOf: phpbb.targetOf,
    async open(options) {
      const [{ openPhpbb }, files] = [await import('#importer/server/phpbb/reader.ts'), await filesOf(options)]
      return at(options, await openPhpbb(await openTables(options), files, options.prefix))
    },
  },
  discuz: {
    targetOf: discuz.targetOf,
    async open(options) {
      const [{ openDiscuz }, files] = [await import('#importer/server/discuz/reader.ts'), await filesOf(options)]
      return at(options, await openDiscuz(await openTables(options), files, options))
    },
  },
  diyhi: {
    targetOf: diyhi.targetOf,
    async open(options) {
      const [{ openDiyhi }, files] = [await import('#importer/server/diyhi/reader.ts'), await filesOf(options)]
      return at(options, await openDiyhi(await openTables(options), files))
    },
  },
  nodebb: {
    targetOf: nodebb.targetOf,
    async open(options) {
      const [{ openNodebb }, files] = [await import('#importer/server/nodebb/reader.ts'), await filesOf(options)]
      return openNodebb(await openKeyStore(options), files.bytesOf, { origins: options.origin ? [options.origin] : [] })
    },
  },
  discourse: {
    targetOf: discourse.targetOf,
    async open(options) {
      const [{ openDiscourse, discourseTables }, files] = [await import('#importer/server/discourse/reader.ts'), await filesOf(options)]
      return openDiscourse(await openTables(options, (table) => discourseTables.has(table)), files, options)
    },
  },
  flarum: {
    targetOf: flarum.targetOf,
    async open(options) {
      const [{ openFlarum }, files] = [await import('#importer/server/flarum/reader.ts'), await filesOf(options)]
      return at(options, await openFlarum(await openTables(options), files, options.prefix))
    },
  },
  teahouse: {
    targetOf: teahouse.targetOf,
    async open(options) {
      const { openTeahouse } = await import('#importer/server/teahouse/reader.ts')
      return at(options, await openTeahouse(options.from))
    },
  },
}

export function importerOf(program: string): Importer & { program: Program } {
  const found = Object.entries(importers).find(([name]) => name === program)
  if (found?.[1]) return { ...found[1], program: found[0] as Program }
  throw new CannotStart(`There is no import from ${program}. There are: ${Object.keys(importers).join(', ')}.`)
}

/** The address that the operator names comes first: the forum may have moved since its settings were made. */
function at({ origin }: SourceOptions, reader: Reader): Reader {
  return origin === undefined ? reader : { ...reader, origins: [origin.replace(/\/?$/, '/'), ...reader.origins] }
}

async function filesOf({ files }: SourceOptions) {
  const { filesIn } = await import('#importer/server/tables/source-files.ts')
  return filesIn(files)
}

/** The tables; of a dump those that begin with the prefix, or are `wanted`. */
async function openTables(
  { from, password, prefix, charset }: SourceOptions,
  wanted: (table: string) => boolean = (table) => table.startsWith(prefix ?? ''),
): Promise<SourceTables> {
  if (/^(mysql|mariadb):/.test(from)) return (await import('#importer/server/tables/mysql.ts')).openMysql({ url: from, password })
  if (/^postgres(ql)?:/.test(from)) return (await import('#importer/server/tables/postgres.ts')).openPostgres({ url: from, password })
  if (/\.(sqlite3?|db)$/.test(from)) return (await import('#importer/server/tables/sqlite.ts')).openSqlite(from)
  refusePassword(from)
  const { openDump } = await import('#importer/server/tables/dump.ts')
  return openDump(from, { wanted, ...(charset !== undefined && { charset }) })
}

async function openKeyStore({ from, password }: SourceOptions) {
  if (/^rediss?:/.test(from)) return (await import('#importer/server/nodebb/redis-store.ts')).openRedisStore({ url: from, password })
  if (/^postgres(ql)?:/.test(from))
    return (await import('#importer/server/nodebb/postgres-store.ts')).openPostgresStore({ url: from, password })
  refusePassword(from)
  return (await import('#importer/server/nodebb/mongo-dump.ts')).openMongoDump(from)
}

/** The password of the source's database: from the environment or a file, never from an argument, which other users of the machine can read. */
export async function sourcePassword(env: NodeJS.ProcessEnv, file: string | null): Promise<string> {
  if (file === null) return env['IMPORT_PASSWORD'] ?? ''
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw new CannotStart(`The file ${file} with the password cannot be read.`, { cause: error })
  }
}
