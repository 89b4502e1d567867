import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Config } from '#base/server/config.ts'
import { readPicture, readTagPicture, tagPictureKeys } from '#database/sample/pictures.ts'
import type { Sample } from '#database/sample/read.ts'
import type { StoredPicture } from '#file/server/file.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import type { Storage } from '#file/server/storage-types.ts'

/** Stored pictures: one for each member who shows it, by `keyOf`, or for a tag, by its key. */
export type Pictures = ReadonlyMap<string, StoredPicture>
export type Post = { author: string; body: string }

/** Stores the pictures of tags on disk. */
export async function storeTagPictures({ dataDir }: Config): Promise<Pictures> {
  const disk = diskStorage(join(dataDir, 'files'))
  const pictures = new Map<string, StoredPicture>()
  for (const key of tagPictureKeys) pictures.set(key, await store(disk, 'avatar', await readTagPicture(key)))
  return pictures
}

/** Stores every picture of the sample on disk, once for each member who shows it. */
export async function storePictures({ dataDir }: Config, { topics }: Sample): Promise<Pictures> {
  const disk = diskStorage(join(dataDir, 'files'))
  const pictures = new Map<string, StoredPicture>()
  for (const topic of topics) {
    for (const post of [topic, ...topic.postscripts, ...topic.comments, ...topic.comments.flatMap((comment) => comment.replies)]) {
      for (const name of picturesIn(post)) {
        const key = keyOf(post, name)
        if (!pictures.has(key)) pictures.set(key, await store(disk, 'picture', await readPicture(name)))
      }
    }
  }
  return pictures
}

export function keyOf({ author }: Post, name: string): string {
  return `${author} ${name}`
}

export function picturesIn({ body }: Post): string[] {
  return [...body.matchAll(/\(picture:([^)]*)\)/g)].map(([, name = '']) => name)
}

// The files are our own, so they need no sanitizing.
async function store(disk: Storage, kind: StoredPicture['kind'], bytes: Buffer): Promise<StoredPicture> {
  const { width, height } = await sharp(bytes).metadata()
  const id = `f_${randomBytes(16).toString('base64url')}`
  await disk.put(`${id}.webp`, bytes)
  const its = { type: 'image/webp', width, height, moves: false, ground: null, lost: [] }
  return { id, kind, ...its, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}
