import { attachmentsOf } from '#base/rich-text/to-text.ts'
import type { Range, SourceFile } from '#importer/server/source.ts'
import { bodiesOf, writtenText } from '#importer/server/nodebb/bodies.ts'
import { isIn } from '#importer/server/nodebb/mark.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import { allOf, id, type Fields, type Scored } from '#importer/server/nodebb/store.ts'
import { nameOf } from '#importer/server/nodebb/uploads.ts'

export const roomSet = 'chat:rooms'
const perBatch = 500

/** The uploads within posts. `seen` holds those that came already, as one may stand in many texts. */
export function filesOfPosts(site: Site, range: Range, members: readonly Scored[], seen: Set<string>): Promise<SourceFile[]> {
  return filesIn(site, keysOf('post', members.filter(isIn(range))), seen)
}

/** The uploads within the messages of rooms. */
export async function filesOfRooms(site: Site, range: Range, rooms: readonly Scored[], seen: Set<string>): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const [room] of rooms) {
    const messages = await allOf(site.store, `chat:room:${room}:mids`)
    const keys = keysOf('message', messages.filter(isIn(range, 'time')))
    for (let at = 0; at < keys.length; at += perBatch) files.push(...(await filesIn(site, keys.slice(at, at + perBatch), seen)))
  }
  return files
}

function keysOf(kind: string, members: readonly Scored[]): string[] {
  return members.map(([member]) => `${kind}:${member}`)
}

// Texts are read as for their bodies, so that the two agree about where an address ends.
async function filesIn(site: Site, keys: readonly string[], seen: Set<string>): Promise<SourceFile[]> {
  const objects = await site.store.objects(keys)
  const withUploads = objects.filter((fields): fields is Fields => fields !== null && writtenText(fields).includes('/uploads/'))
  const bodies = await bodiesOf(site, withUploads.map(writtenText))
  return bodies.flatMap(({ document }, at) =>
    attachmentsOf(document).flatMap(({ file }): SourceFile[] => {
      const path = file.slice('import:file/'.length)
      if (seen.has(path)) return []
      seen.add(path)
      return [{ id: path, ownerId: id(withUploads[at]?.['uid'] ?? withUploads[at]?.['fromuid']), path, name: nameOf(path) }]
    }),
  )
}
