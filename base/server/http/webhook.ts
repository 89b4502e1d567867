import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { withoutQuery } from '#base/query-string.ts'
import type { Database } from '#base/server/database/database.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { rateLimiter } from '#base/server/http/rate-limit.ts'

/** A raw request from outside, signed by its sender. */
export type RawRequest = { name: string; headers: IncomingHttpHeaders; body: Buffer; ip: string; at: Date }

export type WebhookResponse = { status: number; type: string; body: string }

/**
 * A call from another service, such as a payment notification. It has no session, CSRF token or idempotency key: `answer` verifies the
 * sender and replies in the sender's format.
 */
export type Webhook = {
  /** Below /hook; the last segment is the `name` of the call. */
  path: string
  maxBytes: number
  perMinute: number
  answer(database: Database, call: RawRequest): Promise<WebhookResponse>
}

/** Mounts webhooks beside the API, for any content type and with a rate limit per network. */
export async function mountWebhooks(app: FastifyInstance, hooks: readonly Webhook[], database: Database): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer) => bytes)
    for (const { path, maxBytes, perMinute, answer } of hooks) {
      const limit = rateLimiter(`hook ${path}`, [{ times: perMinute, seconds: 60, by: 'ip' }])
      scope.post<{ Params: { name: string } }>(`/hook${path}/:name`, { bodyLimit: maxBytes }, async (request, reply) => {
        const ip = normalizeIp(request.ip)
        await limit(ip, { id: null })
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const call = { name: request.params.name, headers: request.headers, body, ip, at: new Date() }
        const { status, type, body: text } = await answer(database, call)
        return reply.code(status).header('cache-control', 'no-store').type(type).send(text)
      })
    }
    // Any other method at a hook gets an answer for programs, never a page of the site.
    scope.all('/hook/*', async (request, reply) => {
      const isHook = hooks.some(({ path }) => withoutQuery(request.url).startsWith(`/hook${path}/`))
      if (isHook) reply.header('allow', 'POST')
      return reply
        .code(isHook ? 405 : 404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(isHook ? 'Only POST' : 'unknown')
    })
  })
}
