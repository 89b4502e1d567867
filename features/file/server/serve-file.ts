import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Missing, Refusal } from '#base/contract.ts'
import type { Database } from '#base/server/database.ts'
import { fileId, TooManyAtWork } from '#file/contract.ts'
import { renditionWidths, type RenditionWidth } from '#file/limits.ts'
import { makeRendition, nameOf } from '#file/server/rendition.ts'
import { storage as storageOf, type Storage, type Stored } from '#file/server/storage.ts'

type Asked = FastifyRequest<{ Params: { id: string }; Querystring: { w?: string } }>

/** `GET /file/<id>`: the bytes of a picture, which never change; `?w=240` for a smaller one. */
export function fileRoutes(app: FastifyInstance, database: Database): void {
  app.get('/file/:id', async (request: Asked, reply) => {
    const { id } = request.params
    if (!fileId.safeParse(id).success) throw Missing()
    const width = widthIn(request.query.w)
    const storage = await storageOf(database.reader)
    const name = nameOf(id, width)
    const stored = await storage.get(name)
    if (stored) return send(request, reply, name, stored)
    if (width === null) throw Missing()

    const isMade = await makeRendition(storage, id, width).catch(falseIfBusy)
    return isMade ? send(request, reply, name, await storage.get(name)) : sendWhole(storage, request, reply, id)
  })
}

function widthIn(text: string | undefined): RenditionWidth | null {
  if (text === undefined) return null
  const width = renditionWidths.find((one) => String(one) === text)
  if (!width) throw Missing()
  return width
}

function falseIfBusy(error: unknown): false {
  if (error instanceof Refusal && error.kind === TooManyAtWork) return false
  throw error
}

// In place of a smaller one that could not be made now, so it is not for keeping.
async function sendWhole(storage: Storage, request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  const name = nameOf(id, null)
  return send(request, reply, name, await storage.get(name), 'no-store')
}

const forever = 'public, max-age=31536000, immutable'

function send(request: FastifyRequest, reply: FastifyReply, name: string, stored: Stored | null, cacheControl = forever): FastifyReply {
  if (!stored) throw Missing()
  const etag = `"${name}"`
  reply.headers({
    etag,
    'cache-control': cacheControl,
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': `inline; filename="${name}"`,
  })
  if (request.headers['if-none-match']?.includes(etag)) {
    stored.stream.destroy()
    return reply.code(304).send()
  }
  return reply.type('image/webp').header('content-length', stored.bytes).send(stored.stream)
}
