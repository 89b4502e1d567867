import type { Range, SourceMessage } from '#importer/server/source.ts'
import { bodiesOf, writtenText } from '#importer/server/nodebb/bodies.ts'
import { isIn } from '#importer/server/nodebb/mark.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import { allOf, flag, id, time, type Fields, type KeyStore } from '#importer/server/nodebb/store.ts'
import type { Entry } from '#importer/server/nodebb/walk.ts'

export function messagesKey(room: string): string {
  return `chat:room:${room}:mids`
}

type Room = { name: string; people: readonly string[]; unreadBy: ReadonlySet<string> }

/**
 * The messages among entries of rooms. Notes of joining and leaving, deleted messages and those of public rooms, which are no
 * correspondence, are left out.
 */
export async function messagesFrom(site: Site, range: Range, entries: readonly Entry[]): Promise<SourceMessage[]> {
  const within = isIn(range)
  const coming = entries.filter(({ member, score }) => within([member, score]))
  const objects = await site.store.objects(coming.map(({ member }) => `message:${member}`))
  const rooms = await roomsOf(site.store, [...new Set(coming.map(({ owner: [room] }) => room))])
  const found = coming.flatMap(({ owner: [roomId], member }, at) => {
    const [fields, room] = [objects[at], rooms.get(roomId)]
    const draft = fields && room && messageOf(member, fields, room)
    return draft ? [{ draft, text: writtenText(fields) }] : []
  })
  const bodies = await bodiesOf(
    site,
    found.map(({ text }) => text),
  )
  return found.flatMap(({ draft }, at) => (bodies[at] ? [{ ...draft, body: bodies[at] }] : []))
}

function messageOf(mid: string, fields: Fields, { name, people, unreadBy }: Room): Omit<SourceMessage, 'body'> | null {
  const [authorId, sentAt] = [id(fields['fromuid']), time(fields['timestamp'])]
  if (authorId === null || sentAt === null || flag(fields['system']) || flag(fields['deleted'])) return null
  const readerIds = people.filter((uid) => uid !== authorId)
  if (readerIds.length === 0) return null
  return { id: mid, authorId, readerIds, title: name, sentAt, isRead: !readerIds.some((uid) => unreadBy.has(uid)) }
}

async function roomsOf(store: KeyStore, ids: readonly string[]): Promise<Map<string, Room>> {
  const objects = await store.objects(ids.map((room) => `chat:room:${room}`))
  const rooms = await Promise.all(
    ids.map(async (room, at): Promise<[string, Room][]> => {
      const fields = objects[at]
      if (!fields || flag(fields['public'])) return []
      const people = (await allOf(store, `chat:room:${room}:uids`)).flatMap(([uid]) => id(uid) ?? [])
      const unread = await Promise.all(people.map((uid) => store.scores(`uid:${uid}:chat:rooms:unread`, [room])))
      const unreadBy = new Set(people.filter((_, place) => unread[place]?.[0] !== null))
      return [[room, { name: fields['roomName'] ?? '', people, unreadBy }]]
    }),
  )
  return new Map(rooms.flat())
}
