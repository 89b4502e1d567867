import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Config } from '#base/server/config.ts'
import { drawPicture, isPictureName, type PictureName } from '#database/sample/pictures.ts'
import { drawTagPicture, taggedWithPictures } from '#database/sample/tag-pictures.ts'
import type { Sample } from '#database/sample/read.ts'
import type { Kept } from '#file/server/file.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import type { Storage } from '#file/server/stored.ts'

/** Pictures in the storage: each for the member who shows it, by `keyOf`, or for a tag, by its key. */
export type Pictures = ReadonlyMap<string, Promise<Kept>>
export type Post = { author: string; body: string }

/** The same for the pictures of tags. */
export function drawTagPictures({ dataDir }: Config): Pictures {
  const disk = diskStorage(join(dataDir, 'files'))
  const pictures = new Map(taggedWithPictures.map((key) => [key, store(disk, 'avatar', drawTagPicture(key))]))
  void Promise.allSettled(pictures.values())
  return pictures
}

/** Begins to draw and store every picture of the sample on disk, the oldest first. Drawing goes on while others write. */
export function drawPictures({ dataDir }: Config, { topics }: Sample): Pictures {
  const disk = diskStorage(join(dataDir, 'files'))
  const pictures = new Map<string, Promise<Kept>>()
  for (const topic of topics.toSorted((one, other) => other.daysAgo - one.daysAgo)) {
    for (const post of [topic, ...topic.postscripts, ...topic.comments, ...topic.comments.flatMap((comment) => comment.replies)]) {
      for (const name of picturesIn(post))
        pictures.set(keyOf(post, name), pictures.get(keyOf(post, name)) ?? store(disk, 'picture', drawPicture(name)))
    }
  }
  // One that fails makes the post fail that shows it.
  void Promise.allSettled(pictures.values())
  return pictures
}

export function keyOf({ author }: Post, name: PictureName): string {
  return `${author} ${name}`
}

export function picturesIn({ body }: Post): PictureName[] {
  return [...body.matchAll(/\(picture:([^)]*)\)/g)].flatMap(([, name = '']) => (isPictureName(name) ? [name] : []))
}

// We draw it ourselves, so there is nothing in it to make safe.
async function store(disk: Storage, kind: Kept['kind'], drawn: Promise<Buffer>): Promise<Kept> {
  const bytes = await drawn
  const { width, height } = await sharp(bytes).metadata()
  const id = `f_${randomBytes(16).toString('base64url')}`
  await disk.put(`${id}.webp`, bytes)
  const its = { type: 'image/webp', width, height, moves: false, ground: null, lost: [] }
  return { id, kind, ...its, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}
