import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isProof, identityFor, proofHeader } from '#apps/server/doctor/proof.ts'
import { Missing } from '#base/contract.ts'
import type { Config } from '#base/server/config.ts'
import type { Database } from '#base/server/database/database.ts'
import { networkMatcher, normalizeIp } from '#base/server/http/network.ts'
import { TooFast } from '#base/server/http/rate-limit.ts'
import { TooLarge } from '#base/server/http/request.ts'
import { startEventStream } from '#base/server/http/stream.ts'
import * as health from '#maintenance/server/health.ts'
import { z } from 'zod'

export const seenPath = '/api/doctor/seen'
export const streamPath = '/api/doctor/stream'
export const uploadPath = '/api/doctor/upload'
export const healthPath = '/api/doctor/health'

/** PostgreSQL's channel on which a server says that the reader of a stream has left. */
export const leftChannel = 'teahouse_doctor'

/** A request as the forum saw it. */
export const SeenView = z.object({
  identity: z.string(),
  /** The address that counts as the visitor's. */
  address: z.string(),
  /** The machine that the connection comes from. */
  peer: z.string(),
  isPeerTrusted: z.boolean(),
  forwardedFor: z.string().nullable(),
  scheme: z.string(),
  host: z.string(),
  /** The port of the forum itself. */
  port: z.number(),
})
export type SeenView = z.infer<typeof SeenView>

export const UploadView = z.object({ bytes: z.number() })

const maxUploadBytes = 16_000_000
const maxStreams = 8
const heartbeatMs = 10_000
const maxStreamMs = 90_000
// More than a proxy's compressor lets pass in one piece.
const eventFiller = 'x'.repeat(2_000)

type ProbeOptions = { config: Config; database: Database; headers: Record<string, string> }

/** Answers the doctor, who asks through the public address, and nobody else: to others these addresses do not exist. */
export function serveProbes(app: FastifyInstance, { config, database, headers }: ProbeOptions): void {
  const isTrusted = networkMatcher(config.trustProxy)
  const onRequest = async ({ headers, routeOptions }: FastifyRequest) => {
    if (!isProof(headers[proofHeader], routeOptions.url ?? '')) throw Missing()
  }

  app.post(seenPath, { onRequest }, async (request, reply) => {
    const { nonce } = request.query as { nonce?: unknown }
    if (typeof nonce !== 'string' || !/^[\w-]{16,64}$/.test(nonce)) throw Missing()
    const { remoteAddress = '', localPort = 0 } = request.socket
    const peer = normalizeIp(remoteAddress)
    const seen: SeenView = {
      identity: identityFor(nonce),
      address: normalizeIp(request.ip),
      peer,
      isPeerTrusted: isTrusted(peer),
      forwardedFor: request.headers['x-forwarded-for']?.toString() ?? null,
      scheme: request.protocol,
      host: request.headers.host ?? '',
      port: localPort,
    }
    return uncached(reply).send(seen)
  })

  app.get(healthPath, { onRequest }, async (_, reply) => uncached(reply).send(await health.show(database.reader)))

  // Answered before a body is parsed, which no parser has to know.
  const onUpload = async (request: FastifyRequest, reply: FastifyReply) => {
    await onRequest(request)
    return uncached(reply).send({ bytes: await countBytes(request) })
  }
  app.post(uploadPath, { onRequest: onUpload }, async () => undefined)

  serveStream(app, onRequest, { database, headers })
}

function serveStream(
  app: FastifyInstance,
  onRequest: (request: FastifyRequest) => Promise<void>,
  { database, headers }: Omit<ProbeOptions, 'config'>,
): void {
  const open = new Set<FastifyReply['raw']>()
  app.addHook('preClose', async () => open.forEach((stream) => stream.end()))

  app.get(streamPath, { onRequest }, async (request, reply) => {
    const { name } = request.query as { name?: unknown }
    if (typeof name !== 'string' || !/^[\w-]{16,64}$/.test(name)) throw Missing()
    if (open.size >= maxStreams) throw TooFast({ seconds: 60 })
    const { raw } = reply.hijack()
    open.add(raw)
    startEventStream(raw, headers)
    raw.write(`retry: 1000\n\ndata: ${eventFiller}\n\n`)
    const heartbeat = setInterval(() => raw.write(': \n\n'), heartbeatMs)
    const end = setTimeout(() => raw.end(), maxStreamMs)
    await once(raw, 'close')
    open.delete(raw)
    clearInterval(heartbeat)
    clearTimeout(end)
    await sql`select pg_notify(${leftChannel}, ${name})`.execute(database.app).catch(() => undefined)
  })
}

async function countBytes({ raw }: FastifyRequest): Promise<number> {
  let bytes = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxUploadBytes) throw TooLarge()
  }
  return bytes
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store')
}
