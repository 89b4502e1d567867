import { once } from 'node:events'
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterFile } from '#base/testing/after-file.ts'
import type { Certified } from '#payment/testing/certificate.ts'

type ProxyOptions = {
  upstream: string
  /** With one, it speaks TLS as localhost, and HTTP/2 unless told otherwise. */
  certificate?: Certified
  speaksHttp2?: boolean
  /** What it says of a client: appended to what the client said, passed on as the client said it, or nothing. */
  forwards?: 'appended' | 'passed' | 'nothing'
  /** The Host that it asks for, in place of the client's. */
  host?: string
  /** Answers that it holds back until they are whole. */
  buffers?: boolean
  /** The longest body. */
  maxBytes?: number
  /** Headers that it takes out of answers. */
  strips?: readonly string[]
  /** Whether it leaves the server when the client has left. */
  leaves?: boolean
}

/** A reverse proxy with the faults of real ones, until the end of the test file. */
export async function aSmallProxy(options: ProxyOptions): Promise<URL> {
  const { certificate, speaksHttp2 = true } = options
  const listener: RequestListener = (request, response) => void pass(options, request, response).catch(() => undefined)
  const server = certificate ? secureServer(certificate, speaksHttp2, listener) : http.createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  afterFile(async () => {
    if (server instanceof http.Server) server.closeAllConnections()
    server.close()
  })
  return new URL(certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`)
}

function secureServer({ certificate: cert, key: privateKey }: Certified, speaksHttp2: boolean, listener: RequestListener) {
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  if (!speaksHttp2) return https.createServer({ cert, key }, listener)
  return http2.createSecureServer({ cert, key, allowHTTP1: true }, listener as never)
}

async function pass(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { upstream, buffers = false, maxBytes = Infinity, strips = [], leaves = true } = options
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    request.resume()
    response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
    return
  }
  const added = forwarded(options, request)
  const headers = { ...request.headers, ...added }
  const onward = http.request(new URL(request.url ?? '/', upstream), { method: request.method ?? 'GET', headers, agent: false })
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  response.on('close', () => leaves && onward.destroy())
  request.pipe(onward)
  const [answer] = (await once(onward, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  const left = { ...answer.headers }
  for (const name of [...strips, 'connection', 'keep-alive', 'transfer-encoding']) delete left[name]
  const chunks: Buffer[] = []
  if (buffers) for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  response.writeHead(answer.statusCode ?? 502, left)
  if (buffers) response.end(Buffer.concat(chunks))
  else if (leaves) answer.pipe(response)
  else {
    answer.on('data', (chunk: Buffer) => response.writable && response.write(chunk))
    answer.on('end', () => response.end())
  }
}

function forwarded({ forwards = 'appended', certificate, host }: ProxyOptions, { headers, socket }: IncomingMessage) {
  const said = headers['x-forwarded-for']
  if (forwards === 'nothing') delete headers['x-forwarded-for']
  const own = socket.remoteAddress ?? ''
  return {
    ...(host && { host }),
    ...(forwards === 'appended' && {
      'x-forwarded-for': said ? `${String(said)}, ${own}` : own,
      'x-forwarded-proto': certificate ? 'https' : 'http',
    }),
  }
}
