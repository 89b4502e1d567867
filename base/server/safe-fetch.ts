import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublic } from '#base/server/public-address.ts'

type Asked = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string
  patienceMs?: number
  mostBytes?: number
}

export type Answer = { status: number; text: string; type: string }

/** The machine did not answer, not in time, or without end. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * Asks a machine that the operator has named; what members write must never become such an address. It is asked once, goes nowhere
 * else, and is waited for and read no longer than told. A name and a password in the address become a header, and never part of an error.
 */
export async function askNamed(
  address: URL,
  { headers = {}, patienceMs = 5_000, mostBytes = 16_000_000, ...asked }: Asked = {},
): Promise<Answer> {
  const bare = new URL(address)
  bare.username = bare.password = ''
  const all = { ...headers, ...(address.username && { authorization: basic(address) }) }
  try {
    const answer = await fetch(bare, { ...asked, headers: all, redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    return { status: answer.status, text: await textOf(answer, mostBytes), type: answer.headers.get('content-type') ?? '' }
  } catch (error) {
    throw new NoAnswer(`${bare.host} gives no answer`, { cause: error })
  }
}

function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
}

async function textOf(answer: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new RangeError(`More than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Where machines are, and which of them may be asked. Tests have one of their own. */
export type Outside = { addressesOf(host: string): Promise<LookupAddress[]>; mayAsk(ip: string, port: number): boolean }

export const outside: Outside = {
  addressesOf: (host) => lookup(host, { all: true }),
  mayAsk: (ip, port) => (port === 80 || port === 443) && isPublic(ip),
}

type Wanted = { type: string; patienceMs?: number; mostBytes?: number; world?: Outside }
export type Page = { type: string; bytes: Buffer }

const mostRedirects = 3
const looksAs = 'Teahouse (link preview)'

/**
 * Asks a machine that a member has named, without saying who asks. None inside is ever asked: every address that its name stands for must be
 * public, and the one that was looked at is the one that is asked, after each redirect anew. Reads no further and waits no longer than told.
 */
export async function askAnybody(address: URL, { type, patienceMs = 5_000, mostBytes = 500_000, world = outside }: Wanted): Promise<Page> {
  const signal = AbortSignal.timeout(patienceMs)
  let at = address
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await answerAt(at, { signal, world, headers: { accept: type, 'accept-encoding': 'identity', 'user-agent': looksAs } })
      const { statusCode = 0, headers } = answer
      if (statusCode === 200 && !isOf(type, headers)) answer.destroy()
      else if (statusCode === 200) return { type: headers['content-type'] ?? '', bytes: await bytesOf(answer, mostBytes) }
      answer.destroy()
      if (statusCode < 301 || statusCode > 308 || !headers.location) break
      at = new URL(headers.location, at)
    }
  } catch (error) {
    throw new NoAnswer(`${at.host} gives no answer`, { cause: error })
  }
  throw new NoAnswer(`${at.host} gives nothing that is wanted`)
}

type Brought = { headers: Record<string, string>; body: Buffer; patienceMs?: number; world?: Outside }

/** Brings something to a machine that a member has named, within the same walls and to no other; gives the status it answers with. */
export async function postAnybody(address: URL, { patienceMs = 5_000, world = outside, headers, body }: Brought): Promise<number> {
  try {
    const answer = await answerAt(address, { signal: AbortSignal.timeout(patienceMs), world, headers, body })
    answer.destroy()
    return answer.statusCode ?? 0
  } catch (error) {
    throw new NoAnswer(`${address.host} gives no answer`, { cause: error })
  }
}

type Way = { signal: AbortSignal; world: Outside; headers: Record<string, string>; body?: Buffer }

async function answerAt(at: URL, { signal, world, headers, body }: Way): Promise<IncomingMessage> {
  const isSecret = at.protocol === 'https:'
  if ((!isSecret && at.protocol !== 'http:') || at.username || at.password) throw new Error('That is no address to ask at')
  const port = Number(at.port) || (isSecret ? 443 : 80)
  const found = await Promise.race([addressesOf(at, world), endOf(signal)])
  if (found.length === 0 || !found.every(({ address }) => world.mayAsk(address, port))) throw new Error('That machine is not to be asked')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const method = body ? 'POST' : 'GET'
  const options = { method, agent: false, family: 0, lookup: knownAs(found), signal, headers, maxHeaderSize: 32_768 }
  const request = (isSecret ? https : http).request(at, options)
  request.on('error', reject).on('response', resolve).end(body)
  return promise
}

async function addressesOf({ hostname }: URL, world: Outside): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  return family ? [{ address: host, family }] : world.addressesOf(host)
}

/** What a connection is told in place of asking for the name once more, which might be told otherwise. */
function knownAs(found: readonly LookupAddress[]): LookupFunction {
  return (_, { all }, tell) => {
    const [first] = found
    if (all) tell(null, [...found])
    else tell(null, first?.address ?? '', first?.family)
  }
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
}

function isOf(type: string, { 'content-type': told = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return told.split(';', 1)[0]?.trim().toLowerCase() === type && encoding === 'identity'
}

// What lies further is left unread.
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
