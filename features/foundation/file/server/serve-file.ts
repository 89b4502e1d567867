import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Missing } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import { languageOf } from '#base/server/words.ts'
import { fileId } from '#file/contract.ts'
import { accessibleFile } from '#file/server/access.ts'
import { sendAttachment } from '#file/server/send-attachment.ts'
import { sendPicture, parseVariant } from '#file/server/send-picture.ts'
import { storage } from '#file/server/storage.ts'
import * as setting from '#setting/server/setting.ts'

type Query = Record<'w' | 'as' | 'key', string | string[] | undefined>
export type FileRequest = FastifyRequest<{ Params: { id: string }; Querystring: Query }>

/**
 * `GET /file/<id>`: the bytes of a file, for viewers of a place that shows it. Without access the response is the same as for a
 * missing file.
 */
export function fileRoutes(app: FastifyInstance, database: Database): void {
  app.get('/file/:id', async (request: FileRequest, reply): Promise<FastifyReply> => {
    const { id } = request.params
    const { w, as, key } = request.query
    if (!fileId.safeParse(id).success || Array.isArray(key)) throw Missing()
    const variant = parseVariant(w, as)
    const open = await accessibleFile(database, id, key)
    if (!open) {
      await setting.assertSiteOpen(database.reader, { availableWhile: 'readOnly' }, languageOf(request.headers['accept-language']))
      throw Missing()
    }
    const context = { request, reply, storage: await storage(database.reader), file: open.file, until: open.until }
    return open.file.kind === 'attachment' || open.file.kind === 'archive' ? sendAttachment(context) : sendPicture(context, variant)
  })
}
