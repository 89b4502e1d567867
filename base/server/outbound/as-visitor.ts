import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import tls from 'node:tls'

type VisitorRequest = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  signal: AbortSignal
  /** Certificate authorities in PEM, in place of the usual ones. */
  ca?: string | undefined
}

export type VisitorResponse = { status: number; headers: IncomingHttpHeaders; text: string }

const maxBytes = 1_000_000

/** Requests the forum's own public address as a visitor does. A redirect is an answer like any other. */
export async function requestAsVisitor(address: URL, request: VisitorRequest): Promise<VisitorResponse> {
  const answer = await openAsVisitor(address, request)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }
}

/** The same with the answer as it comes in. */
export function openAsVisitor(address: URL, { method = 'GET', headers, body, signal, ca }: VisitorRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const length = body ? { 'content-length': String(body.length), 'content-type': 'application/octet-stream' } : {}
  const options = { method, signal, agent: false, ca, headers: { 'user-agent': 'Teahouse', ...length, ...headers } }
  const request = (address.protocol === 'https:' ? https : http).request(address, options)
  // The other side may refuse a body and hang up while it is sent.
  request.on('response', resolve).on('error', reject)
  request.end(body)
  return promise
}

export type Handshake = {
  /** The version of HTTP that a browser gets. */
  protocol: string
  /** When the certificate begins and ends. */
  beginsAt: Date
  endsAt: Date
  /** The certificate's problem by its code; null if browsers trust it. */
  problem: string | null
}

/** The TLS handshake of a browser, whose outcome is told whether the certificate is trusted or not. */
export function handshakeWith({ hostname, port }: URL, { signal, ca }: Pick<VisitorRequest, 'signal' | 'ca'>): Promise<Handshake> {
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>()
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = tls.connect({
    host,
    port: Number(port) || 443,
    ...(isIP(host) === 0 && { servername: host }),
    ca,
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
  })
  signal.addEventListener('abort', () => socket.destroy(new Error('It takes too long')), { once: true })
  socket.on('error', reject)
  socket.once('secureConnect', () => {
    const { valid_from: beginsAt, valid_to: endsAt } = socket.getPeerCertificate()
    const { code } = (socket.authorizationError ?? {}) as { code?: string }
    resolve({
      protocol: socket.alpnProtocol || 'http/1.1',
      beginsAt: new Date(beginsAt),
      endsAt: new Date(endsAt),
      problem: socket.authorized ? null : (code ?? String(socket.authorizationError)),
    })
    socket.end()
  })
  return promise
}
