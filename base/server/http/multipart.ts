import type { FastifyRequest } from 'fastify'
import { Malformed, type Body } from '#base/server/http/request.ts'
import type { Upload } from '#base/server/http/route.ts'

/** The name of the only part that may be a file. */
export const fileField = 'file'

const maxFields = 20
const maxFieldBytes = 64 * 1024
const maxNameLength = 100
const stallTimeoutMs = 20_000

/** Parses a multipart form of fields and at most one file. Stops at a body without a length, over its limit, or stalled. */
export async function parseMultipart(
  request: FastifyRequest,
  maxBytes: number,
  timeoutMs = stallTimeoutMs,
): Promise<{ body: Body; upload: Upload | null }> {
  requireContentLength(request, maxBytes + maxFields * maxFieldBytes)
  const stopWatching = abortWhenStalled(request, timeoutMs)
  try {
    return await readParts(request, maxBytes)
  } catch (error) {
    throw isTooLarge(error) ? error : Malformed()
  } finally {
    stopWatching()
  }
}

/** Aborts a stalled request. The returned function stops the watch. */
export function abortWhenStalled({ raw }: FastifyRequest, timeoutMs = stallTimeoutMs): () => void {
  const cut = () => raw.destroy(new Error('The request stopped coming'))
  let timer = setTimeout(cut, timeoutMs)
  function restartTimer(): void {
    clearTimeout(timer)
    timer = setTimeout(cut, timeoutMs)
  }
  raw.on('data', restartTimer)
  return () => {
    clearTimeout(timer)
    raw.off('data', restartTimer)
  }
}

/** Refuses a body before it is read if its length is missing or too large. Returns the length. */
export function requireContentLength({ headers }: FastifyRequest, maxBytes: number): number {
  const bytes = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(bytes)) throw Object.assign(new Error('The length is missing'), { statusCode: 411 })
  if (bytes > maxBytes) throw Object.assign(new Error('The body is too large'), { statusCode: 413 })
  return bytes
}

async function readParts(request: FastifyRequest, fileSize: number): Promise<{ body: Body; upload: Upload | null }> {
  const limits = { fileSize, files: 1, fields: maxFields, parts: maxFields + 1, fieldSize: maxFieldBytes }
  const fields: [string, string][] = []
  let upload: Upload | null = null
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') {
      if (part.fieldname !== fileField) throw Malformed()
      upload = { bytes: await part.toBuffer(), name: part.filename, type: part.mimetype }
    } else {
      if (typeof part.value !== 'string' || part.valueTruncated || part.fieldname.length > maxNameLength) throw Malformed()
      fields.push([part.fieldname, part.value])
    }
  }
  return { body: { as: 'parts', fields }, upload }
}

// Our own forms break no other limit; too large a file may come from anybody.
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE'
}
