import type { LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { addressesOf } from '#base/server/outbound/name-servers.ts'
import { isPublic, isPublicName } from '#base/server/outbound/public-address.ts'

type OutgoingRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string
  patienceMs?: number
  mostBytes?: number
}

// Compressed answers may expand to any size.
const unpacked = { 'accept-encoding': 'identity' }

export type Answer = { status: number; text: string; type: string; headers: IncomingHttpHeaders }
export type AnswerInBytes = Omit<Answer, 'text'> & { bytes: Buffer }

/** The machine did not answer, or not in time, or too much. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Requests an address configured by the operator; it must never come from what members write. Follows no redirects and is limited in time
 * and size. A name and a password in the address become a header, and never part of an error.
 */
export async function askNamed(address: URL, asked: OutgoingRequest = {}): Promise<Answer> {
  const { bytes, ...answer } = await askNamedForBytes(address, asked)
  return { ...answer, text: bytes.toString() }
}

/** The same for bytes. */
export async function askNamedForBytes(
  address: URL,
  { headers = {}, patienceMs = 5_000, mostBytes = 16_000_000, ...asked }: OutgoingRequest = {},
): Promise<AnswerInBytes> {
  const bare = new URL(address)
  bare.username = bare.password = ''
  const all = { 'user-agent': 'Teahouse', ...unpacked, ...headers, ...(address.username && { authorization: basic(address) }) }
  try {
    return await withDeadline(patienceMs, async (signal) => {
      const answer = await answerTo(bare, { ...asked, headers: all, signal })
      const { statusCode: status = 0, headers: told } = answer
      if (leadsElsewhere(answer)) throw new Error('It leads elsewhere')
      return { status, bytes: await allOf(answer, mostBytes), type: told['content-type'] ?? '', headers: told }
    })
  } catch (error) {
    throw new NoAnswer(`${bare.host} gives no answer`, { cause: error })
  }
}

export type Fetch = typeof fetch

/**
 * A `fetch` for client libraries, limited to the one origin that staff configured: it follows no redirects and streams the answer, up to so
 * many bytes.
 */
export function fetchNamed({ origin }: URL, mostBytes = 32_000_000): Fetch {
  return async (asked, { method = 'GET', headers, body, signal } = {}) => {
    const at = new URL(asked instanceof Request ? asked.url : asked)
    if (at.origin !== origin) throw new NoAnswer(`${at.host} was not named`)
    const all = { 'user-agent': 'Teahouse', ...unpacked, ...Object.fromEntries(new Headers(headers)) }
    const answer = await answerTo(at, { method, headers: all, signal: signal ?? new AbortController().signal, body: textBody(body) })
    if (leadsElsewhere(answer)) {
      answer.destroy()
      throw new NoAnswer(`${at.host} leads elsewhere`)
    }
    const { statusCode: status = 500, headers: told } = answer
    const hasBody = status !== 204 && status !== 304
    if (!hasBody) answer.resume()
    return new Response(
      hasBody ? (Readable.toWeb(Readable.from(upTo(mostBytes, answer), { objectMode: false })) as ReadableStream) : null,
      {
        status,
        headers: Object.entries(told).flatMap(([name, value]): [string, string][] => [value ?? []].flat().map((one) => [name, one])),
      },
    )
  }
}

async function* upTo(mostBytes: number, answer: IncomingMessage): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new RangeError(`More than ${mostBytes} bytes`)
    yield chunk
  }
}

function textBody(body: unknown): string {
  if (typeof body !== 'string' && body !== undefined && body !== null) throw new TypeError('Only text is sent')
  return body ?? ''
}

function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
}

async function allOf(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const bytes = await bytesOf(answer, mostBytes + 1)
  if (bytes.length > mostBytes) throw new RangeError(`More than ${mostBytes} bytes`)
  return bytes
}

/** Name lookup and the addresses that may be requested. Tests have their own. */
export type Outside = {
  addressesOf(host: string, signal: AbortSignal): Promise<LookupAddress[]>
  mayAsk(ip: string, port: number): boolean
}

export const outside: Outside = {
  addressesOf,
  mayAsk: (ip, port) => (port === 80 || port === 443) && isPublic(ip),
}

type FetchOptions = { type: string; patienceMs?: number; mostBytes?: number; world?: Outside }
export type Page = { type: string; bytes: Buffer }

const mostRedirects = 3
const mostNotices = 10
const looksAs = 'Teahouse (link preview)'

/**
 * Requests an address given by a member, without identifying them. Private machines are out of reach: all addresses of the name must be
 * public, and the connection uses the address that was checked, again after each redirect. Limited in time and size.
 */
export async function askAnybody(
  address: URL,
  { type, patienceMs = 5_000, mostBytes = 500_000, world = outside }: FetchOptions,
): Promise<Page> {
  let at = address
  try {
    return await withDeadline(patienceMs, async (signal) => {
      for (let redirects = 0; redirects <= mostRedirects; redirects++) {
        const answer = await answerAt(at, { signal, world, headers: { accept: type, ...unpacked, 'user-agent': looksAs } })
        const { statusCode, headers } = answer
        if (statusCode === 200 && isOf(type, headers))
          return { type: headers['content-type'] ?? '', bytes: await bytesOf(answer, mostBytes) }
        answer.destroy()
        if (!leadsElsewhere(answer)) break
        at = new URL(headers.location ?? '', at)
      }
      throw new Error('It gives nothing that is wanted')
    })
  } catch (error) {
    throw new NoAnswer(`${at.host} gives no answer`, { cause: error })
  }
}

type Brought = { headers: Record<string, string>; body: Buffer; patienceMs?: number; world?: Outside }

/** Posts to an address given by a member, with the same checks and without redirects; returns the status. */
export async function postAnybody(address: URL, { patienceMs = 5_000, world = outside, headers, body }: Brought): Promise<number> {
  try {
    return await withDeadline(patienceMs, async (signal) => {
      const { statusCode = 0 } = await answerAt(address, { signal, world, method: 'POST', headers, body })
      return statusCode
    })
  } catch (error) {
    throw new NoAnswer(`${address.host} gives no answer`, { cause: error })
  }
}

async function answerAt(at: URL, { world, ...way }: Way & { world: Outside }): Promise<IncomingMessage> {
  const isSecret = at.protocol === 'https:'
  if ((!isSecret && at.protocol !== 'http:') || at.username || at.password) throw new Error('That is no address to ask at')
  const port = Number(at.port) || (isSecret ? 443 : 80)
  const found = await machinesAt(at, world, way.signal)
  if (found.length === 0 || !found.every(({ address }) => world.mayAsk(address, port))) throw new Error('That machine is not to be asked')
  way.signal.throwIfAborted()
  return answerTo(at, { ...way, agent: false, family: 0, lookup: knownAs(found) })
}

async function machinesAt({ hostname }: URL, world: Outside, signal: AbortSignal): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family) return [{ address: host, family }]
  return isPublicName(host) ? world.addressesOf(host, signal) : []
}

/** The checked addresses, in place of a second lookup by the connection, which might give others. */
function knownAs(found: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, tell) => {
    const [first] = found
    if (all) tell(null, [...found])
    else tell(null, first?.address ?? '', first?.family)
  }
}

type Way = RequestOptions & { signal: AbortSignal; body?: string | Buffer }

/** The head of a response. An upgrade, or a connection closed without a response, is an error. */
function answerTo(at: URL, { body, ...options }: Way): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (at.protocol === 'https:' ? https : http).request(at, { ...options, maxHeaderSize: 32_768 })
  let notices = 0
  request.on('information', () => {
    if (++notices > mostNotices) request.destroy(new Error('It says again and again that it is about to answer'))
  })
  request.on('error', reject).on('response', resolve).on('socket', outliveErrors)
  request.on('close', () => reject(new Error('It hung up')))
  request.end(body)
  return promise
}

const passOver = () => undefined

// A request cancelled after the head of its response fails its connection when nothing listens to it any more, and an unhandled error event
// ends the process.
function outliveErrors(socket: Socket): void {
  if (!socket.listeners('error').includes(passOver)) socket.on('error', passOver)
}

function leadsElsewhere({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 301 && statusCode <= 308 && Boolean(headers.location)
}

function isOf(type: string, { 'content-type': told = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return told.split(';', 1)[0]?.trim().toLowerCase() === type && encoding === 'identity'
}

// The rest is left unread.
async function bytesOf(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostBytes)
}
