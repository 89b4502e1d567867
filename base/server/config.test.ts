import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { ConfigError, readConfig } from '#base/server/config.ts'

test('without any setting the site serves this machine on port 3000 from its own database, with sample content', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: 'localhost',
    dataDir: resolve(import.meta.dirname, '../../data'),
    drainSeconds: 0,
    processes: null,
    jobs: true,
    databaseUrl: null,
    replicaUrl: null,
    directUrl: null,
    sample: true,
    development: false,
    trustProxy: [],
    publicUrl: null,
    store: null,
    searchUrl: null,
    redisUrl: null,
    metricsToken: null,
    sealingKey: null,
  })
})

const key = Buffer.alloc(32, 'tea')

test.each(['base64', 'base64url', 'hex'] as const)('the key is taken as %s', (written) => {
  expect(readConfig({ TEAHOUSE_KEY: key.toString(written) })).toMatchObject({ sealingKey: key })
})

test('an invalid key is refused, and not repeated', () => {
  expect(() => readConfig({ TEAHOUSE_KEY: 'oolong-and-nothing-else' })).toThrow(/^TEAHOUSE_KEY is set, but it must be 32 random bytes/)
})

const database = 'postgresql://tea:pot@db.example.org:5432/teahouse'

test.each([
  ['PORT', '8080', { port: 8080 }],
  ['PORT', '0', { port: 0 }],
  ['PORT', ' 80 ', { port: 80 }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['HOST', '::', { host: '::' }],
  ['HOST', 'tea.example.org', { host: 'tea.example.org' }],
  ['TEAHOUSE_DATA', '/tmp', { dataDir: '/tmp' }],
  ['TEAHOUSE_DATA', 'not/yet/there', { dataDir: resolve('not/yet/there') }],
  ['DATABASE_URL', database, { databaseUrl: database }],
  ['DATABASE_URL', 'postgres://localhost/tea', { databaseUrl: 'postgres://localhost/tea' }],
  ['DATABASE_URL', 'postgresql://tea@/tea?host=/run/postgresql', { databaseUrl: 'postgresql://tea@localhost/tea?host=/run/postgresql' }],
  ['DATABASE_URL', 'postgresql:///tea?host=/run/postgresql', { databaseUrl: 'postgresql://localhost/tea?host=/run/postgresql' }],
  ['TEAHOUSE_SAMPLE', '0', { sample: false }],
  ['TEAHOUSE_SAMPLE', '1', { sample: true }],
  ['NODE_ENV', 'development', { development: true }],
  ['NODE_ENV', 'production', { development: false }],
  ['NODE_ENV', 'test', { development: false }],
  ['TEAHOUSE_TRUSTED_PROXIES', '127.0.0.1, 10.0.0.0/8,fd00::/8', { trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] }],
  ['TEAHOUSE_URL', 'https://tea.example.org', { publicUrl: 'https://tea.example.org' }],
  ['TEAHOUSE_URL', 'http://localhost:3000/', { publicUrl: 'http://localhost:3000' }],
  ['SEARCH_URL', 'http://localhost:9200', { searchUrl: 'http://localhost:9200' }],
  ['TEAHOUSE_METRICS_TOKEN', 'Zm9yLXByb21ldGhldXM=', { metricsToken: 'Zm9yLXByb21ldGhldXM=' }],
  ['SEARCH_URL', 'https://tea:pot@search.example.org/forum/', { searchUrl: 'https://tea:pot@search.example.org/forum' }],
])('%s takes %j', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toMatchObject(expected)
})

test.each([
  ['PORT', 'http', 'a whole number from 0 to 65535'],
  ['PORT', '65536', 'a whole number from 0 to 65535'],
  ['PORT', '-1', 'a whole number from 0 to 65535'],
  ['PORT', '3e3', 'a whole number from 0 to 65535'],
  ['PORT', '', 'a whole number from 0 to 65535'],
  ['HOST', '', 'an address or a name alone'],
  ['HOST', 'http://localhost', 'an address or a name alone'],
  ['HOST', 'localhost:3000', 'an address or a name alone'],
  ['HOST', '300.1.1.1', 'an address or a name alone'],
  ['TEAHOUSE_DATA', '', 'the path of a folder'],
  ['TEAHOUSE_DATA', import.meta.filename, 'a folder, and that is a file'],
  ['DATABASE_URL', '', 'the address of a PostgreSQL database'],
  ['DATABASE_URL', 'mysql://localhost/tea', 'the address of a PostgreSQL database'],
  ['DATABASE_URL', 'postgresql://localhost', 'the address of a PostgreSQL database'],
  ['DATABASE_URL', 'postgresql://tea:pot@localhost:port/tea', 'the address of a PostgreSQL database'],
  ['TEAHOUSE_SAMPLE', 'no', '1 for sample content'],
  ['NODE_ENV', 'prod', 'production, development or test'],
  ['TEAHOUSE_TRUSTED_PROXIES', '', 'addresses or networks'],
  ['TEAHOUSE_TRUSTED_PROXIES', '10.0.0.0/33', 'addresses or networks'],
  ['TEAHOUSE_TRUSTED_PROXIES', '127.0.0.1 10.0.0.1', 'addresses or networks'],
  ['TEAHOUSE_TRUSTED_PROXIES', 'proxy.example.org', 'addresses or networks'],
  ['TEAHOUSE_URL', 'tea.example.org', 'the address of the site alone'],
  ['TEAHOUSE_URL', 'ftp://tea.example.org', 'the address of the site alone'],
  ['TEAHOUSE_URL', 'https://tea.example.org/forum', 'the address of the site alone'],
  ['TEAHOUSE_URL', 'https://user:secret@tea.example.org', 'the address of the site alone'],
  ['TEAHOUSE_METRICS_TOKEN', 'short', '16 to 200 letters'],
  ['SEARCH_URL', 'search.example.org', 'the address of a search server'],
  ['SEARCH_URL', 'https://search.example.org/?q=1', 'the address of a search server'],
])('%s refuses %j', (name, value, right) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is ".*", but it must be ${right}.*\\.$`))
})

test('all wrong settings are reported at once, one sentence each', () => {
  const complaint = complaintAbout({ PORT: 'x', HOST: 'y z', TEAHOUSE_SAMPLE: 'maybe' })
  expect(complaint.split('\n').map((line) => line.split(' ')[0])).toEqual(['PORT', 'HOST', 'TEAHOUSE_SAMPLE'])
})

test('a server without jobs needs a database that a process with jobs can reach', () => {
  expect(complaintAbout({ TEAHOUSE_JOBS: '0' })).toContain('DATABASE_URL is not set')
  expect(readConfig({ DATABASE_URL: database, TEAHOUSE_JOBS: '0' }).jobs).toBe(false)
  expect(complaintAbout({ DATABASE_URL: database, TEAHOUSE_JOBS: 'off' })).toContain('1 for a server that runs jobs')
})

test('a replica needs a database of its own', () => {
  expect(complaintAbout({ DATABASE_REPLICA_URL: database })).toContain('DATABASE_URL is not')
  expect(readConfig({ DATABASE_URL: database, DATABASE_REPLICA_URL: database }).replicaUrl).toBe(database)
})

test('a way past a pooler leads to the same database, as the same user', () => {
  expect(complaintAbout({ DATABASE_DIRECT_URL: database })).toContain('DATABASE_URL is not')
  expect(complaintAbout({ DATABASE_URL: database, DATABASE_DIRECT_URL: 'postgresql://other:pot@localhost/tea' })).toContain('the same user')
  expect(readConfig({ DATABASE_URL: database, DATABASE_DIRECT_URL: database }).directUrl).toBe(database)
})

const store = {
  TEAHOUSE_S3_URL: 'https://s3.example.org',
  TEAHOUSE_S3_BUCKET: 'tea',
  TEAHOUSE_S3_KEY: 'a-key',
  TEAHOUSE_S3_SECRET: 'a-secret',
}

test('a store for files is named whole or not at all, and its secret is not shown', () => {
  expect(readConfig(store).store).toEqual({
    url: 'https://s3.example.org',
    publicUrl: 'https://s3.example.org',
    bucket: 'tea',
    region: 'us-east-1',
    keyId: 'a-key',
    secret: 'a-secret',
  })
  expect(readConfig({ ...store, TEAHOUSE_S3_REGION: 'cn-north', TEAHOUSE_S3_PUBLIC_URL: 'https://files.example.org' }).store).toMatchObject(
    { region: 'cn-north', publicUrl: 'https://files.example.org' },
  )
  for (const name of Object.keys(store)) {
    const complaint = complaintAbout({ ...store, [name]: undefined })
    expect(complaint).toContain('all four')
    expect(complaint).not.toContain('a-secret')
  }
  expect(complaintAbout({ ...store, TEAHOUSE_S3_URL: 's3.example.org' })).toContain('the address of the store alone')
  expect(complaintAbout({ ...store, TEAHOUSE_S3_BUCKET: 'Tea/Pot' })).toContain('a name of small letters')
})

test('a password in a wrong address is not shown', () => {
  expect(complaintAbout({ DATABASE_URL: 'mysql://tea:pot@localhost/tea' })).not.toContain('pot@')
  expect(complaintAbout({ DATABASE_URL: 'mysql://tea:po@t/pot@localhost/tea' })).not.toContain('pot')
  expect(complaintAbout({ DATABASE_URL: 'postgresql://localhost/tea?user=tea&password=pot&gssencmode=disable' })).not.toContain('pot')
})

function complaintAbout(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof CannotStart) return error.message
    throw error
  }
  throw new Error('Nothing was refused.')
}
