import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readAddress } from '#base/server/database/address.ts'
import { InvalidValue } from '#base/server/invalid-value.ts'
import { parseKey } from '#base/server/security/sealing.ts'

export type Config = {
  port: number
  /** The address to listen on. The default, `localhost`, answers this machine only; `0.0.0.0` answers the network. */
  host: string
  dataDir: string
  /** How many seconds a stopping server answers on while `/health` reports that it leaves. */
  drainSeconds: number
  /** Number of worker processes on one port. Null leaves it to the machine. */
  processes: number | null
  /** Whether a server runs jobs, or leaves them to others. */
  jobs: boolean
  /** Null means the embedded PostgreSQL, with its data under `dataDir`. */
  databaseUrl: string | null
  replicaUrl: string | null
  /** The same database past a pooler in transaction mode, for what needs a session. Null where `databaseUrl` will do. */
  directUrl: string | null
  sample: boolean
  development: boolean
  /** Addresses and networks whose `X-Forwarded-*` headers are trusted. */
  trustProxy: string[]
  /** The public address of the site, without a trailing slash. */
  publicUrl: string | null
  /** An S3-compatible store for files. */
  store: ObjectStore | null
  /** A server with OpenSearch's API. Null searches in the database. */
  searchUrl: string | null
  /** The shared store of rate limits. Null counts in the database, and in memory if that is embedded. */
  redisUrl: string | null
  /** The bearer token for `/metrics`. Null turns metrics off. */
  metricsToken: string | null
  /** The key that encrypts secrets in the database. Null takes the file `key` under `dataDir`. */
  sealingKey: Buffer | null
}

export type ObjectStore = {
  /** The address for this server. */
  url: string
  /** The address for browsers. */
  publicUrl: string
  bucket: string
  region: string
  keyId: string
  secret: string
}

export class ConfigError extends CannotStart {
  override name = 'ConfigError'
}

const maxProcesses = 8
const jobsOfEmbedded = 'TEAHOUSE_JOBS is 0, but DATABASE_URL is not set: nobody else could run the jobs of the embedded PostgreSQL.'

/** Reads every setting before it throws, so that all errors are reported together. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []

  const read: ReadVariable = (name, fallback, read) => {
    const text = env[name]
    if (text === undefined) return fallback
    try {
      return read(text.trim())
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      problems.push(`${name} is ${name === 'TEAHOUSE_KEY' ? 'set' : quoted(text)}, but ${error.message}.`)
      return fallback
    }
  }

  const config: Config = {
    port: read('PORT', 3000, port),
    host: read('HOST', 'localhost', host),
    dataDir: read('TEAHOUSE_DATA', fileURLToPath(new URL('../../data', import.meta.url)), folder),
    drainSeconds: read('TEAHOUSE_DRAIN_SECONDS', 0, seconds),
    processes: read('TEAHOUSE_PROCESSES', null, processes),
    jobs: read('TEAHOUSE_JOBS', true, flag('1 for a server that runs jobs, or 0 for one that leaves them to others')),
    databaseUrl: read('DATABASE_URL', null, (text) => readAddress(text, 'primary')),
    replicaUrl: read('DATABASE_REPLICA_URL', null, (text) => readAddress(text, 'replica')),
    directUrl: read('DATABASE_DIRECT_URL', null, (text) => readAddress(text, 'direct')),
    sample: read('TEAHOUSE_SAMPLE', true, flag('1 for sample content on the first start, or 0 for none')),
    development: read('NODE_ENV', false, isDevelopment),
    trustProxy: read('TEAHOUSE_TRUSTED_PROXIES', [], networks),
    publicUrl: read('TEAHOUSE_URL', null, publicUrl),
    store: readStore(env, read, problems),
    searchUrl: read('SEARCH_URL', null, searchUrl),
    redisUrl: read('REDIS_URL', null, redisUrl),
    metricsToken: read('TEAHOUSE_METRICS_TOKEN', null, metricsToken),
    sealingKey: read('TEAHOUSE_KEY', null, sealingKey),
  }
  if (env['DATABASE_REPLICA_URL'] !== undefined && env['DATABASE_URL'] === undefined)
    problems.push('DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded PostgreSQL has no replica.')
  if (env['DATABASE_DIRECT_URL'] !== undefined && env['DATABASE_URL'] === undefined)
    problems.push('DATABASE_DIRECT_URL is set, but DATABASE_URL is not: the embedded PostgreSQL needs no other address.')
  if (config.databaseUrl && config.directUrl && !areOfOneDatabase(config.databaseUrl, config.directUrl))
    problems.push('DATABASE_DIRECT_URL must name the same user, password and database as DATABASE_URL.')
  if (!config.jobs && !config.databaseUrl) problems.push(jobsOfEmbedded)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

// The passwords of the two roles are derived from the owner's.
function areOfOneDatabase(one: string, other: string): boolean {
  return (['username', 'password', 'pathname'] as const).every((part) => new URL(one)[part] === new URL(other)[part])
}

type ReadVariable = <T>(name: string, fallback: T, read: (text: string) => T) => T

function readStore(env: NodeJS.ProcessEnv, read: ReadVariable, problems: string[]): ObjectStore | null {
  const url = read('TEAHOUSE_S3_URL', null, storeUrl)
  const bucket = read('TEAHOUSE_S3_BUCKET', null, bucketName)
  const keyId = env['TEAHOUSE_S3_KEY']?.trim()
  const secret = env['TEAHOUSE_S3_SECRET']?.trim()
  const region = read('TEAHOUSE_S3_REGION', 'us-east-1', bucketName)
  if (url && bucket && keyId && secret)
    return { url, publicUrl: read('TEAHOUSE_S3_PUBLIC_URL', url, storeUrl), bucket, region, keyId, secret }
  const isNamed = Object.keys(env).some((name) => name.startsWith('TEAHOUSE_S3_'))
  if (isNamed)
    problems.push('A store for files needs TEAHOUSE_S3_URL, TEAHOUSE_S3_BUCKET, TEAHOUSE_S3_KEY and TEAHOUSE_S3_SECRET, all four.')
  return null
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535)
    throw new InvalidValue('it must be a whole number from 0 to 65535, where 0 takes any free port')
  return number
}

const maxSeconds = 300

function seconds(text: string): number {
  const number = Number(text)
  if (!/^\d{1,3}$/.test(text) || number > maxSeconds) throw new InvalidValue(`it must be a whole number from 0 to ${maxSeconds}`)
  return number
}

function processes(text: string): number {
  const number = Number(text)
  if (!/^\d{1,2}$/.test(text) || number < 1 || number > maxProcesses)
    throw new InvalidValue(`it must be a whole number from 1 to ${maxProcesses}`)
  return number
}

function host(text: string): string {
  const isName = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text) && !/^[\d.]+$/.test(text)
  if (isIP(text) === 0 && !isName) throw new InvalidValue('it must be an address or a name alone, such as 0.0.0.0, :: or localhost')
  return text
}

function folder(text: string): string {
  if (text === '' || text.includes('\0')) throw new InvalidValue('it must be the path of a folder')
  const path = resolve(text)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) throw new InvalidValue('it must be a folder, and that is a file')
  return path
}

function flag(meaning: string): (text: string) => boolean {
  return (text) => {
    if (text !== '0' && text !== '1') throw new InvalidValue(`it must be ${meaning}`)
    return text === '1'
  }
}

function isDevelopment(text: string): boolean {
  if (!['production', 'development', 'test'].includes(text)) throw new InvalidValue('it must be production, development or test')
  return text === 'development'
}

function networks(text: string): string[] {
  const list = text.split(',').map((item) => item.trim())
  if (!list.every(isNetwork))
    throw new InvalidValue('it must be addresses or networks with commas between them, such as 127.0.0.1,10.0.0.0/8')
  return list
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSite = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isSite) throw new InvalidValue('it must be the address of the site alone, such as https://tea.example.org')
  return url.origin
}

// May hold a name and a password, and a path behind a proxy.
function searchUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new InvalidValue('it must be the address of a search server, such as https://user:password@search.example.org:9200')
  return url.href.replace(/\/+$/, '')
}

function redisUrl(text: string): string {
  if (!/^rediss?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
    throw new InvalidValue('it must be the address of a Redis, such as redis://:password@redis.example.org:6379')
  return text
}

function metricsToken(text: string): string {
  if (!/^[\w.~+/=-]{16,200}$/.test(text)) throw new InvalidValue('it must be 16 to 200 letters, digits and . _ ~ + / = -, hard to guess')
  return text
}

function sealingKey(text: string): Buffer {
  const key = parseKey(text)
  if (!key) throw new InvalidValue('it must be 32 random bytes in base64 or hex, such as "openssl rand -base64 32" gives')
  return key
}

function storeUrl(text: string): string {
  try {
    return publicUrl(text)
  } catch {
    throw new InvalidValue('it must be the address of the store alone, such as https://s3.example.org')
  }
}

function bucketName(text: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(text)) throw new InvalidValue('it must be a name of small letters, digits, dots and hyphens')
  return text
}

/** Hides the password inside an address from screen and log. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/(\/\/[^/:@]*):.*@/, '$1:…@').replace(/([?&]password=)[^&]*/, '$1…'))
}
