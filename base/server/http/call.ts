import type { FastifyRequest } from 'fastify'
import { lazy } from '#base/lazy.ts'
import { parseMultipart } from '#base/server/http/multipart.ts'
import { rawBodyOf, Malformed } from '#base/server/http/request.ts'
import type { ClientInfo, Viewer } from '#base/server/http/route.ts'
import type { Call, RequestBody } from '#base/server/http/serve.ts'
import { devicesOf } from '#base/server/http/secret-cookies.ts'

/** The routes' view of a request, with a lazily read body. Throws `Malformed` for an invalid idempotency key. */
export function toCall(
  request: FastifyRequest,
  viewer: Viewer,
  clientInfo: Pick<ClientInfo, 'ip' | 'isLocal' | 'csrf' | 'origin' | 'language'>,
  uploadBytes: number | undefined,
): Omit<Call, 'setSecretCookie'> {
  const devices = devicesOf(request.headers)
  const client: ClientInfo = {
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    authorization: request.headers.authorization,
    ...clientInfo,
    ...(devices && { devices }),
  }
  const key = request.headers['idempotency-key']
  const idempotencyKey = typeof key === 'string' ? key : null
  if (idempotencyKey !== null && !/^[\w-]{16,64}$/.test(idempotencyKey)) throw Malformed()
  return { viewer, client, readBody: lazy(() => readBody(request, uploadBytes)), idempotencyKey }
}

async function readBody(request: FastifyRequest, uploadBytes: number | undefined): Promise<RequestBody> {
  if (!request.isMultipart()) return { body: rawBodyOf(request), upload: null }
  if (!uploadBytes) throw Object.assign(new Error('No files are taken here'), { statusCode: 415 })
  return parseMultipart(request, uploadBytes)
}
