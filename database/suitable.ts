import type pg from 'pg'
import { CannotStart } from '#base/server/cannot-start.ts'
import { isTimeZone } from '#base/time-zone.ts'

const minVersion = 15
const defaultZone = 'Asia/Shanghai'

type Facts = {
  encoding: string
  version: string
  hasGist: boolean
  mayHaveGist: boolean
}

/** Throws a sentence for each reason why this database can never hold a forum, before anything is written to it. */
export async function assertSuitable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Facts>(`
    select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
      exists (select from pg_extension where extname = 'btree_gist') as "hasGist",
      exists (select from pg_available_extensions where name = 'btree_gist') as "mayHaveGist"`)
  const [facts] = rows
  if (!facts) return
  const problems = [...ofEncoding(facts), ...ofVersion(facts), ...ofGist(facts), ...(await ofTimeZone(client))]
  if (problems.length > 0) throw new CannotStart(problems.join('\n'))
}

function ofEncoding({ encoding }: Facts): string[] {
  if (encoding === 'UTF8') return []
  return [
    `The encoding of this database is ${encoding}, which cannot hold every text. ` +
      "Make another with: create database teahouse template template0 encoding 'UTF8' locale 'C.UTF-8', and name it in DATABASE_URL.",
  ]
}

function ofVersion({ version }: Facts): string[] {
  if (Number.parseInt(version, 10) >= minVersion) return []
  return [`PostgreSQL is ${version}, and the forum needs ${minVersion} or newer. Upgrade it, or name another in DATABASE_URL.`]
}

function ofGist({ hasGist, mayHaveGist }: Facts): string[] {
  if (hasGist || mayHaveGist) return []
  return ['PostgreSQL lacks the extension btree_gist. Install its additional modules: the package postgresql-contrib of most systems.']
}

// A zone is known by its name only where PostgreSQL finds its time zone data, which some systems keep in a package of its own.
async function ofTimeZone(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ has: boolean }>(`
    select exists (select from pg_attribute
      where attrelid = to_regclass('public.setting') and attname = 'value' and atttypid = 'jsonb'::regtype) as has`)
  const chosen = rows[0]?.has
    ? await client.query<{ zone: string }>(`select value #>> '{}' as zone from public.setting where name = 'timeZone'`)
    : null
  const stored = chosen?.rows[0]?.zone ?? ''
  // A stored setting that cannot be used does not stop the forum: its default applies.
  const zone = isTimeZone(stored) ? stored : defaultZone
  try {
    await client.query('select now() at time zone $1', [zone])
    return []
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '22023')) throw error
    return [`PostgreSQL does not know the time zone ${zone}. Install its time zone data: the package tzdata of most systems.`]
  }
}
