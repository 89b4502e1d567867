import { readFileSync } from 'node:fs'
import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterFile } from '#base/testing/after-file.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { siteName } from './certificate.ts'

export type HttpAnswer = {
  statusCode: number
  headers: IncomingHttpHeaders
  rawPayload: Buffer
  body: string
  payload: string
  json(): unknown
}

export type OpenedStream = {
  headers: IncomingHttpHeaders
  text(): string
  isClosed(): boolean
  /** Leaves, as a browser does with a page that it closes. */
  close(): void
}

/** One browser's connection of HTTP/2, opened again after it broke. */
export type Connection = {
  /** The address that the part sees. */
  ip: string
  send(options: InjectOptions): Promise<HttpAnswer>
  listen(path: string, headers?: Record<string, string>): Promise<OpenedStream>
}

let clients = 10

/** A connection through the part, from an address of its own. Each of 127.0.0.0/8 is this machine. */
export function connectionTo(port: number, trusted: string): Connection {
  const number = ++clients
  const ip = `127.0.${1 + (number >> 8)}.${number & 255}`
  let session: ClientHttp2Session | null = null
  afterFile(async () => session?.destroy())

  function current(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session
    const plain = connectTcp({ host: '127.0.0.1', port, localAddress: ip })
    plain.on('error', (error) => socket.destroy(error))
    const socket = connectTls({ socket: plain, servername: siteName, ca: readFileSync(trusted), ALPNProtocols: ['h2'] })
    // Its requests fail with the same error.
    session = connectHttp2(`https://${siteName}`, { createConnection: () => socket }).on('error', () => undefined)
    return session
  }

  async function request(headers: Record<string, unknown>, body?: unknown): Promise<[ClientHttp2Stream, IncomingHttpHeaders]> {
    const stream = current().request(headers as Record<string, string>, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    return new Promise((resolve, reject) => {
      stream.once('response', (answered) => resolve([stream, answered]))
      stream.once('error', reject).once('close', () => reject(new Error('The connection closed without an answer')))
    })
  }

  return {
    ip,
    async send({ method = 'GET', url, headers = {}, payload }) {
      const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload as string | Buffer) }
      const [stream, answered] = await request({ ':method': method, ':path': url, ...headers, ...length }, payload)
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece as Buffer)
      // A stream that is reset after its headers ends like one that is whole.
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new Error('The answer was cut')
      const rawPayload = Buffer.concat(pieces)
      const text = rawPayload.toString()
      return { statusCode: statusOf(answered), headers: answered, rawPayload, body: text, payload: text, json: () => JSON.parse(text) }
    },
    async listen(path, headers = {}) {
      const wanted = { accept: 'text/event-stream', 'accept-encoding': 'gzip, deflate, br, zstd', ...headers }
      const [stream, answered] = await request({ ':path': path, ...wanted })
      let text = ''
      let isOver = false
      stream.on('data', (piece) => (text += String(piece))).on('close', () => (isOver = true))
      return {
        headers: answered,
        text: () => text,
        isClosed: () => isOver,
        close: () => stream.close(constants.NGHTTP2_CANCEL),
      }
    },
  }
}

/** A visitor whose calls take this connection. */
export function visitorOn(connection: Connection): Visitor {
  return new Visitor({ inject: connection.send } as unknown as FastifyInstance)
}

function statusOf(headers: IncomingHttpHeaders): number {
  return Number(headers[':status'])
}
