import type { LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { resolveAddresses } from '#base/server/outbound/name-servers.ts'
import { tracedRequest } from '#base/server/outbound/traced-request.ts'
import { isPublic, isPublicName } from '#base/server/outbound/public-address.ts'

type OutgoingRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string
  timeoutMs?: number
  maxBytes?: number
}

// Compressed answers may expand to any size.
const uncompressed = { 'accept-encoding': 'identity' }

export type TextResponse = { status: number; text: string; type: string; headers: IncomingHttpHeaders }
export type BytesResponse = Omit<TextResponse, 'text'> & { bytes: Buffer }

/** The machine did not answer, or not in time, or too much. */
export class RequestFailed extends Error {
  override name = 'NoAnswer'
}

/**
 * Requests an address configured by the operator; it must never come from what members write. Follows no redirects and is limited in time
 * and size. A name and a password in the address become a header, and never part of an error.
 */
export async function fetchConfigured(address: URL, request: OutgoingRequest = {}): Promise<TextResponse> {
  const { bytes, ...answer } = await fetchConfiguredBytes(address, request)
  return { ...answer, text: bytes.toString() }
}

/** The same for bytes. */
export async function fetchConfiguredBytes(
  address: URL,
  { headers = {}, timeoutMs = 5_000, maxBytes = 16_000_000, ...asked }: OutgoingRequest = {},
): Promise<BytesResponse> {
  const bare = new URL(address)
  bare.username = bare.password = ''
  const all = { 'user-agent': 'Teahouse', ...uncompressed, ...headers, ...(address.username && { authorization: basic(address) }) }
  try {
    return await withDeadline(timeoutMs, async (signal) => {
      const answer = await tracedRequest(bare, { ...asked, headers: all, signal }, send)
      const { statusCode: status = 0, headers: received } = answer
      if (isRedirect(answer)) throw new Error('It leads elsewhere')
      return { status, bytes: await readAll(answer, maxBytes), type: received['content-type'] ?? '', headers: received }
    })
  } catch (error) {
    throw new RequestFailed(`${bare.host} gives no answer`, { cause: error })
  }
}

export type Fetch = typeof fetch

/**
 * A `fetch` for client libraries, limited to the one origin that staff configured: it follows no redirects and streams the answer, up to so
 * many bytes.
 */
export function configuredFetch({ origin }: URL, maxBytes = 32_000_000): Fetch {
  return async (request, { method = 'GET', headers, body, signal } = {}) => {
    const at = new URL(request instanceof Request ? request.url : request)
    if (at.origin !== origin) throw new RequestFailed(`${at.host} was not named`)
    const all = { 'user-agent': 'Teahouse', ...uncompressed, ...Object.fromEntries(new Headers(headers)) }
    const answer = await tracedRequest(
      at,
      { method, headers: all, signal: signal ?? new AbortController().signal, body: textBody(body) },
      send,
    )
    if (isRedirect(answer)) {
      answer.destroy()
      throw new RequestFailed(`${at.host} leads elsewhere`)
    }
    const { statusCode: status = 500, headers: received } = answer
    const hasBody = status !== 204 && status !== 304
    if (!hasBody) answer.resume()
    return new Response(
      hasBody ? (Readable.toWeb(Readable.from(limitedTo(maxBytes, answer), { objectMode: false })) as ReadableStream) : null,
      {
        status,
        headers: Object.entries(received).flatMap(([name, value]): [string, string][] => [value ?? []].flat().map((one) => [name, one])),
      },
    )
  }
}

async function* limitedTo(maxBytes: number, answer: IncomingMessage): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new RangeError(`More than ${maxBytes} bytes`)
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

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const bytes = await readUpTo(answer, maxBytes + 1)
  if (bytes.length > maxBytes) throw new RangeError(`More than ${maxBytes} bytes`)
  return bytes
}

/** Name lookup and the addresses that may be requested. Tests have their own. */
export type Network = {
  addressesOf(host: string, signal: AbortSignal): Promise<LookupAddress[]>
  mayConnect(ip: string, port: number): boolean
}

export const publicNetwork: Network = {
  addressesOf: resolveAddresses,
  mayConnect: (ip, port) => (port === 80 || port === 443) && isPublic(ip),
}

type FetchOptions = { type: string; timeoutMs?: number; maxBytes?: number; network?: Network }
export type Page = { type: string; bytes: Buffer }

const maxRedirects = 3
const maxInformational = 10
const userAgent = 'Teahouse (link preview)'

/**
 * Requests an address given by a member, without identifying them. Private machines are out of reach: all addresses of the name must be
 * public, and the connection uses the address that was checked, again after each redirect. Limited in time and size.
 */
export async function fetchUntrusted(
  address: URL,
  { type, timeoutMs = 5_000, maxBytes = 500_000, network = publicNetwork }: FetchOptions,
): Promise<Page> {
  let at = address
  try {
    return await withDeadline(timeoutMs, async (signal) => {
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const answer = await requestUntrusted(at, {
          signal,
          network,
          headers: { accept: type, ...uncompressed, 'user-agent': userAgent },
        })
        const { statusCode, headers } = answer
        if (statusCode === 200 && hasType(type, headers))
          return { type: headers['content-type'] ?? '', bytes: await readUpTo(answer, maxBytes) }
        answer.destroy()
        if (!isRedirect(answer)) break
        at = new URL(headers.location ?? '', at)
      }
      throw new Error('It gives nothing that is wanted')
    })
  } catch (error) {
    throw new RequestFailed(`${at.host} gives no answer`, { cause: error })
  }
}

type PostOptions = { headers: Record<string, string>; body: Buffer; timeoutMs?: number; network?: Network }

/** Posts to an address given by a member, with the same checks and without redirects; returns the status. */
export async function postUntrusted(
  address: URL,
  { timeoutMs = 5_000, network = publicNetwork, headers, body }: PostOptions,
): Promise<number> {
  try {
    return await withDeadline(timeoutMs, async (signal) => {
      const { statusCode = 0 } = await requestUntrusted(address, { signal, network, method: 'POST', headers, body })
      return statusCode
    })
  } catch (error) {
    throw new RequestFailed(`${address.host} gives no answer`, { cause: error })
  }
}

async function requestUntrusted(at: URL, { network, ...way }: SendOptions & { network: Network }): Promise<IncomingMessage> {
  const isSecret = at.protocol === 'https:'
  if ((!isSecret && at.protocol !== 'http:') || at.username || at.password) throw new Error('That is no address to ask at')
  const port = Number(at.port) || (isSecret ? 443 : 80)
  const ips = await addressesFor(at, network, way.signal)
  if (ips.length === 0 || !ips.every(({ address }) => network.mayConnect(address, port))) throw new Error('That machine is not to be asked')
  way.signal.throwIfAborted()
  return tracedRequest(at, { ...way, agent: false, family: 0, lookup: fixedLookup(ips) }, send)
}

async function addressesFor({ hostname }: URL, network: Network, signal: AbortSignal): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family) return [{ address: host, family }]
  return isPublicName(host) ? network.addressesOf(host, signal) : []
}

/** The checked addresses, in place of a second lookup by the connection, which might give others. */
function fixedLookup(ips: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, tell) => {
    const [first] = ips
    if (all) tell(null, [...ips])
    else tell(null, first?.address ?? '', first?.family)
  }
}

type SendOptions = RequestOptions & { signal: AbortSignal; body?: string | Buffer }

/** The head of a response. An upgrade, or a connection closed without a response, is an error. */
function send(at: URL, { body, ...options }: SendOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (at.protocol === 'https:' ? https : http).request(at, { ...options, maxHeaderSize: 32_768 })
  let notices = 0
  request.on('information', () => {
    if (++notices > maxInformational) request.destroy(new Error('It says again and again that it is about to answer'))
  })
  request.on('error', reject).on('response', resolve).on('socket', ignoreLateErrors)
  request.on('close', () => reject(new Error('It hung up')))
  request.end(body)
  return promise
}

const ignoreError = () => undefined

// A request cancelled after the head of its response fails its connection when nothing listens to it any more, and an unhandled error event
// ends the process.
function ignoreLateErrors(socket: Socket): void {
  if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError)
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 301 && statusCode <= 308 && Boolean(headers.location)
}

function hasType(type: string, { 'content-type': received = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return received.split(';', 1)[0]?.trim().toLowerCase() === type && encoding === 'identity'
}

// The rest is left unread.
async function readUpTo(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
