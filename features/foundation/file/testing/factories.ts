import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Db } from '#base/server/database/database.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as file from '#file/server/file.ts'

/** Attaches a file to a public topic. */
export async function show(db: Db, fileId: string, authorId: string): Promise<void> {
  const key = `tag-${randomUUID()}`
  const tag = await db.insertInto('tag').values({ key, name_zh: '茶', name_en: 'Tea' }).returning('id').executeTakeFirstOrThrow()
  const post = { title: 'Tea', body: '{}', segments: '[]', summary: '' }
  const topic = await db
    .insertInto('topic')
    .values({ ...post, tag_id: tag.id, author_id: authorId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await file.attach(db, [fileId], { topicId: topic.id })
}

type Size = { width?: number; height?: number }
type Sent = { bytes: Uint8Array; name?: string; type?: string }

const boundary = 'a-line-between-parts'

export function plain({ width = 60, height = 40 }: Size = {}, colour = '#2f6f4f') {
  return sharp({ create: { width, height, channels: 3, background: colour } })
}

/** An animation with distinct frames. */
export async function moving(frames: number, { width = 8, height = 8 }: Size = {}): Promise<Buffer> {
  const colours = Array.from({ length: frames }, (_, at) => ({ r: (at * 53) % 256, g: (at * 101) % 256, b: at % 256 }))
  const pictures = await Promise.all(
    colours.map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: 80, reuse: false })
    .toBuffer()
}

/** Sends a multipart form as a browser does: the fields, then the file. */
export async function sendFile(who: Visitor, path: string, file: Sent | null, fields: Record<string, string | number> = {}) {
  if (!who.cookie) await who.fetchToken()
  return who.app.inject({
    method: 'POST',
    url: `/api${path}`,
    remoteAddress: who.ip,
    headers: { ...who.headers('POST'), 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: formOf(file, fields),
  })
}

function formOf(file: Sent | null, fields: Record<string, string | number>): Buffer {
  const start = `--${boundary}\r\ncontent-disposition: form-data; name=`
  const parts = Object.entries(fields).map(([name, value]) => Buffer.from(`${start}"${name}"\r\n\r\n${value}\r\n`))
  if (file) {
    const { bytes, name = 'picture.png', type = 'image/png' } = file
    parts.push(Buffer.from(`${start}"file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`), Buffer.from(bytes), Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}
