import type { Redis } from 'ioredis'
import { CannotStart } from '#base/server/cannot-start.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'
import type { KeyStore, Scored } from '#importer/server/nodebb/store.ts'
import { refusePassword } from '#importer/server/tables/connection.ts'

const ioredis = lazyPackage((load) => load('ioredis') as typeof import('ioredis'))

const connectTimeoutMs = 10_000
const pageLength = 1_000

/** Opens the Redis of a NodeBB. The password stands apart from the address, which is shown in messages. */
export async function openRedisStore({ url, password }: { url: string; password?: string | undefined }): Promise<KeyStore> {
  refusePassword(url)
  const client = await connect(url, password)
  async function objects(keys: readonly string[]) {
    const found = await Promise.all(keys.map((key) => client.hgetall(key)))
    return found.map((fields) => (Object.keys(fields).length > 0 ? fields : null))
  }
  return {
    objects,
    object: async (key) => (await objects([key]))[0] ?? null,
    async sorted(key, { after, limit }) {
      const start = after ? await indexAfter(client, key, after) : 0
      return pairs(await client.zrange(key, String(start), String(start + limit - 1), 'WITHSCORES'))
    },
    scores: (key, members) => Promise.all(members.map((member) => client.zscore(key, member))),
    members: (key) => membersOf(client, key),
    count: (key) => client.zcard(key),
    text: (key) => client.get(key),
    async close() {
      client.disconnect()
    },
  }
}

async function connect(url: string, password: string | undefined): Promise<Redis> {
  const failures: Error[] = []
  let isOpen = false
  const client = new (ioredis().Redis)(url, {
    ...(password && { password }),
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    retryStrategy: (times) => (isOpen && times <= 20 ? 500 : null),
  })
  client.on('error', (error: Error) => void (isOpen || failures.push(error)))
  try {
    await client.connect()
    await client.ping()
  } catch (error) {
    // What `connect` throws only says that the connection is closed.
    failures.push(error instanceof Error ? error : new Error(String(error)))
  }
  // A database that does not exist is only an event: the connection stays in database 0, which may be another site's.
  const [failure] = failures
  if (failure) {
    client.disconnect()
    throw new CannotStart(reasonOf(failure.message, url), { cause: failure })
  }
  isOpen = true
  return client
}

function reasonOf(message: string, url: string): string {
  if (/WRONGPASS|NOAUTH|invalid password|without any password/i.test(message))
    return `Redis at ${url} refuses the password. NodeBB has it in its config.json under redis: password.`
  if (/NOPERM/.test(message)) return `This user of Redis at ${url} may not read. Give it the right to read all keys.`
  if (/DB index/i.test(message)) return `Redis at ${url} has no such database. NodeBB has its number in config.json under redis: database.`
  return `There is no Redis at ${url} (${message}). Check the address and that Redis runs.`
}

/** Redis pages by index only, so the index behind a member is looked up, also when it has left the set since. */
async function indexAfter(client: Redis, key: string, [member, score]: Scored): Promise<number> {
  const [rank, current] = await Promise.all([client.zrank(key, member), client.zscore(key, member)])
  if (rank !== null && current === score) return rank + 1
  const place = Buffer.from(member)
  let index = await client.zcount(key, '-inf', `(${score}`)
  for (let read = 0; ; read += pageLength) {
    const ties = await client.zrangebyscore(key, score, score, 'LIMIT', read, pageLength)
    const before = ties.filter((one) => Buffer.compare(Buffer.from(one), place) <= 0).length
    index += before
    if (before < pageLength) return index
  }
}

function pairs(flat: readonly string[]): Scored[] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? '', flat[2 * at + 1] ?? ''] as const)
}

// A large set read at once would stop a Redis that serves a site.
async function membersOf(client: Redis, key: string): Promise<string[]> {
  const members = new Set<string>()
  let cursor = '0'
  do {
    const [next, some] = await client.sscan(key, cursor, 'COUNT', pageLength)
    for (const member of some) members.add(member)
    cursor = next
  } while (cursor !== '0')
  return [...members]
}
