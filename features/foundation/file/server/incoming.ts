import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Missing } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import { networkLimit } from '#base/server/http/admission.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { abortWhenStalled, requireContentLength } from '#base/server/http/multipart.ts'
import { Malformed } from '#base/server/http/request.ts'
import { assertApproved } from '#base/server/http/route.ts'
import { languageOf } from '#base/server/words.ts'
import { beginUpload, fileId, UploadBroken } from '#file/contract.ts'
import { uploaderOf } from '#file/server/access.ts'
import { storage } from '#file/server/storage.ts'
import { incomingName } from '#file/server/storage-types.ts'
import { begunBy } from '#file/server/upload.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

type FileRequest = FastifyRequest<{ Params: { id: string }; Querystring: { key?: string | string[] } }>

/**
 * `PUT /file/incoming/<id>`: receives the bytes of an announced file, if the storage has no upload URLs of its own. Its address was given by
 * the call that announced the file, whose checks hold again when the bytes come.
 */
export async function incomingRoutes(app: FastifyInstance, database: Database): Promise<void> {
  const limitNetwork = networkLimit('uploads', 'POST')
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('application/octet-stream', (_: unknown, body: unknown, done: (error: null, body: unknown) => void) =>
      done(null, body),
    )
    door.put('/file/incoming/:id', async (request: FileRequest, reply) => {
      await limitNetwork(normalizeIp(request.ip))
      return receive(database, request, reply)
    })
  })
}

async function receive({ app, reader }: Database, request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id } = request.params
  const { key } = request.query
  if (!fileId.safeParse(id).success || typeof key !== 'string') throw Missing()
  const member = await uploaderOf(app, id, key)
  const begun = member && (await begunBy(app, member, id))
  if (!begun) throw Missing()
  await setting.assertSiteOpen(app, beginUpload, languageOf(request.headers['accept-language']))
  assertApproved(member, beginUpload)
  role.refuseBanned(member, ['upload'])
  if (requireContentLength(request, begun.bytes) !== begun.bytes) throw Malformed()

  const stream = bytesOf(request)
  const calm = abortWhenStalled(request)
  try {
    await (await storage(reader)).put(incomingName(id), { bytes: begun.bytes, stream })
  } catch (error) {
    throw isCut(request) ? UploadBroken() : error
  } finally {
    calm()
  }
  return reply.code(204).send()
}

// If the storage fails, the client stays connected and gets the error; if the client disconnects, the storage's input ends.
function bytesOf(request: FastifyRequest): Readable {
  const stream = request.raw.pipe(new PassThrough()).on('error', () => undefined)
  request.raw.once('close', () => isCut(request) && stream.destroy())
  return stream
}

function isCut({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}
