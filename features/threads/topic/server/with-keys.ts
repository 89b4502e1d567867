import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import type { TopicCardView } from '#topic/contract.ts'

/** The same topics for one member: pictures in restricted tags get access keys. */
export async function withKeys(db: Db, member: Member, topics: readonly TopicCardView[]): Promise<TopicCardView[]> {
  const closed = topics.filter(({ place }) => place.isRestricted).flatMap(({ pictures }) => pictures.map(({ src }) => src))
  if (closed.length === 0) return [...topics]
  const keys = await file.keysTo(
    db,
    member,
    closed.map((src) => src.slice(src.lastIndexOf('/') + 1)),
  )
  const keyed = new Map(keys.map(({ file: id, key }) => [file.srcOf(id), `${file.srcOf(id)}?key=${encodeURIComponent(key)}`]))
  return topics.map((topic) => ({
    ...topic,
    pictures: topic.pictures.map((picture) => ({ ...picture, src: keyed.get(picture.src) ?? picture.src })),
  }))
}
