import pg from 'pg'
import { CannotStart } from '#base/server/cannot-start.ts'
import { fieldsOf, type Fields, type KeyStore, type Scored } from '#importer/server/nodebb/store.ts'
import { refusePassword } from '#importer/server/tables/connection.ts'

const connectTimeoutMs = 10_000

/** Opens the PostgreSQL of a NodeBB. The password stands apart from the address, which is shown in messages. */
export async function openPostgresStore({ url, password }: { url: string; password?: string | undefined }): Promise<KeyStore> {
  refusePassword(url)
  const pool = await connect(url, password)
  async function rows<T extends unknown[]>(text: string, values: unknown[]): Promise<T[]> {
    return (await pool.query<T>({ text, values, rowMode: 'array' })).rows
  }
  async function objects(keys: readonly string[]): Promise<(Fields | null)[]> {
    const found = new Map(await rows<[string, string]>(hashes, [keys]))
    return keys.map((key) => {
      const data = found.get(key)
      return data === undefined ? null : fieldsOf(JSON.parse(data))
    })
  }
  return {
    objects,
    object: async (key) => (await objects([key]))[0] ?? null,
    sorted: (key, { after, limit }) =>
      after ? rows<[string, string]>(nextMembers, [key, limit, after[1], after[0]]) : rows<[string, string]>(firstMembers, [key, limit]),
    async scores(key, members) {
      const found = new Map<string, string>((await rows<[string, string]>(scores, [key, members])) satisfies Scored[])
      return members.map((member) => found.get(member) ?? null)
    },
    members: async (key) => (await rows<[string]>(setMembers, [key])).map(([member]) => member),
    count: async (key) => Number((await rows<[string]>(counted, [key]))[0]?.[0] ?? 0),
    text: async (key) => (await rows<[string]>(texts, [key]))[0]?.[0] ?? null,
    close: () => pool.end(),
  }
}

/** NodeBB deletes what has expired only with the next write. */
function live(table: string): string {
  return `from ${table} as it join legacy_object as object using (_key, type)
          where (object."expireAt" is null or object."expireAt" > current_timestamp)`
}

const hashes = `select _key, it.data ${live('legacy_hash')} and _key = any($1::text[])`
const inOrder = `order by it.score, it.value collate "C" limit $2::int`
const firstMembers = `select it.value, it.score ${live('legacy_zset')} and _key = $1 ${inOrder}`
// The condition on the score alone lets the index of scores be used.
const nextMembers = `select it.value, it.score ${live('legacy_zset')} and _key = $1 and it.score >= $3::numeric
                     and (it.score, it.value collate "C") > ($3::numeric, $4::text) ${inOrder}`
const scores = `select it.value, it.score ${live('legacy_zset')} and _key = $1 and it.value = any($2::text[])`
const setMembers = `select it.member ${live('legacy_set')} and _key = $1`
const counted = `select count(*) ${live('legacy_zset')} and _key = $1`
const texts = `select it.data ${live('legacy_string')} and _key = $1`

// The address wins over an option of the driver, and its place for a password is none without a host.
function withPassword(address: string, password: string | undefined): string {
  const url = URL.parse(address)
  if (!url || !password) return address
  url.searchParams.set('password', password)
  return url.href
}

async function connect(url: string, password: string | undefined): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: withPassword(url, password),
    max: 4,
    verify: (client, done) => client.query('set default_transaction_read_only = on', (error) => done(error ?? undefined)),
    connectionTimeoutMillis: connectTimeoutMs,
    // Numbers beyond those of JavaScript stay as they are.
    types: { getTypeParser: () => String },
  })
  // A connection that breaks while idle is replaced.
  pool.on('error', () => undefined)
  try {
    await pool.query('select from legacy_object limit 1')
    return pool
  } catch (error) {
    await pool.end()
    throw new CannotStart(reasonOf(error, url), { cause: error })
  }
}

function reasonOf(error: unknown, address: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${address} refuses the user or the password. NodeBB has them in its config.json under postgres.`
  if (code === '3D000') return `PostgreSQL has no database at ${address}. NodeBB has its name in config.json under postgres: database.`
  if (code === '42P01') return `The database at ${address} holds no NodeBB: it has no table legacy_object. Check the name of the database.`
  if (code === '42501') return `The user at ${address} may not read the tables of NodeBB. Grant it select on all of them.`
  return `There is no PostgreSQL at ${address} (${String(error)}). Check the address and that PostgreSQL runs.`
}
