import { sql } from 'kysely'
import { anyOf, type Database, type Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { keyFor, keyOfStaff, readKey } from '#file/server/key.ts'
import { keptForAll, type Known, type FileUse, type ShownToAll } from '#file/server/shown-to-all.ts'
import { srcOf } from '#file/server/src.ts'
import * as setting from '#setting/server/setting.ts'

/** What the app knows of people and places, and this feature, which stands below them, does not. */
export type AccessRules = {
  visitor(): Promise<Viewer>
  inSession(sessionId: string): Promise<Member | null>
  /** Those of these places where a viewer sees the file now. */
  seen(db: Db, viewer: Viewer, places: readonly FileUse[]): Promise<readonly FileUse[]>
}

const secretName = 'file key'
let rules: (AccessRules & { shownToAll: ShownToAll }) | null = null

/** Takes the rules from the app. */
export async function openAccess(database: Database, given: AccessRules): Promise<void> {
  const { app, primaryReader: reader } = database
  const shownToAll = keptForAll(database, async (ids) => seen(reader, await given.visitor(), await known(reader, ids)))
  rules = { ...given, shownToAll }
  await secretOf(app, secretName)
}

/**
 * A file whoever asks may see now: for good, or until their key runs out. Rights are asked anew each time, so one that was lost counts at once.
 * While the site is closed, only keys of staff open any.
 */
export async function opened(
  { app, reader }: Database,
  fileId: string,
  key: string | undefined,
): Promise<{ file: Known; until: Date | null } | null> {
  const isClosed = (await setting.all(reader)).siteState === 'closed'
  const shown = isClosed ? null : await outside().shownToAll(fileId)
  if (shown) return { file: shown, until: null }
  const read = key === undefined ? null : readKey(await secretOf(app, secretName), fileId, key)
  if (!read || (isClosed && read.sessionId !== keyOfStaff && !read.sessionId.startsWith(deskMark))) return null
  // The primary database: a replica may not know yet that a right was taken.
  const [file] = await known(app, [fileId])
  if (!file) return null
  // Whoever has such a key was asked for their right when it was given, minutes ago.
  if (read.sessionId === keyOfStaff) return { file, until: read.until }
  const member = await outside().inSession(read.sessionId)
  const isSeen = member && (await seen(app, member, [file])).length > 0
  return isSeen ? { file, until: read.until } : null
}

/** How a session of staff is named in a key; those of members are numbers alone. */
export function atTheDesk(sessionId: string): string {
  return deskMark + sessionId
}

const deskMark = 's'

/** Keys to those of these files that this member may see. */
export async function keysTo(db: Db, member: Member, fileIds: readonly string[]): Promise<{ file: string; key: string }[]> {
  const secret = await secretOf(db, secretName)
  const files = await seen(db, member, await known(db, fileIds))
  // Archives are opened by whoever made them, who asks for more than a session.
  return files.filter(({ kind }) => kind !== 'archive').map(({ id }) => ({ file: id, key: keyFor(secret, id, member.sessionId) }))
}

const fileInHtml = /\/file\/(f_[\w-]+)(\?)?/g

/** The address at which its owner fetches an archive, for some minutes. Null for everybody else. */
export async function addressOfArchive(db: Db, member: Member, fileId: string): Promise<string | null> {
  const [file] = await known(db, [fileId])
  return file?.kind === 'archive' && file.ownerId === member.id ? srcFor(db, member, fileId) : null
}

/** The same HTML with keys to its files, for staff who look at what nobody else sees yet. */
export async function opensForStaff(db: Db, html: string): Promise<string> {
  const secret = await secretOf(db, secretName)
  return html.replaceAll(fileInHtml, (_, fileId: string, query?: string) => {
    const src = `${srcOf(fileId)}?key=${keyFor(secret, fileId, keyOfStaff)}`
    return query ? `${src}&amp;` : src
  })
}

/** The address at which a member brings a file to this server, where the storage has no door of its own. */
export async function doorFor(db: Db, member: Member, fileId: string): Promise<string> {
  return `/file/incoming/${fileId}?key=${keyFor(await secretOf(db, secretName), forDoor(fileId), member.sessionId)}`
}

/** Who may bring this file, by the key in the address. */
export async function bringerOf(db: Db, fileId: string, key: string): Promise<Member | null> {
  const read = readKey(await secretOf(db, secretName), forDoor(fileId), key)
  return read && outside().inSession(read.sessionId)
}

// A key to look is no key to bring.
function forDoor(fileId: string): string {
  return `incoming ${fileId}`
}

/** The address at which a member sees what they have just brought. */
export async function srcFor(db: Db, member: Member, fileId: string): Promise<string> {
  return `${srcOf(fileId)}?key=${keyFor(await secretOf(db, secretName), fileId, member.sessionId)}`
}

/** The address at which staff see what they have just brought, whoever it belongs to. */
export async function srcForStaff(db: Db, fileId: string): Promise<string> {
  return `${srcOf(fileId)}?key=${keyFor(await secretOf(db, secretName), fileId, keyOfStaff)}`
}

function outside() {
  if (!rules) throw new Error('Files are not open')
  return rules
}

// What no post shows yet is its owner's alone.
async function seen(db: Db, viewer: Viewer, files: readonly Known[]): Promise<Known[]> {
  const isAnyway = ({ kind, ownerId }: Known) => kind === 'avatar' || (viewer.id !== null && viewer.id === ownerId)
  const places = files.flatMap((file) => (isAnyway(file) ? [] : file.places))
  const open = new Set(places.length > 0 ? await outside().seen(db, viewer, places) : [])
  return files.filter((file) => isAnyway(file) || file.places.some((place) => open.has(place)))
}

async function known(db: Db, fileIds: readonly string[]): Promise<Known[]> {
  const rows = await db
    .selectFrom('file')
    .leftJoin('file_use', 'file_use.file_id', 'file.id')
    .select(['file.id', 'kind', 'owner_id', 'name', 'bytes', 'topic_id', 'comment_id', 'reply_id', 'part_id', 'message_id'])
    .select(sql<boolean>`rendered_at is not null`.as('is_rendered'))
    .where('file.id', '=', anyOf(fileIds))
    .execute()
  const files = new Map<string, Known & { places: FileUse[] }>()
  for (const row of rows) {
    const { id, kind, owner_id: ownerId, name, bytes, is_rendered: isRendered } = row
    const file = files.get(id) ?? { id, kind, ownerId, name, bytes, isRendered, places: [] }
    const { topic_id: topicId, comment_id: commentId, reply_id: replyId, part_id: partId, message_id: messageId } = row
    if (topicId) file.places.push({ fileId: id, topicId, commentId, replyId, partId })
    if (messageId) file.places.push({ fileId: id, messageId })
    files.set(id, file)
  }
  return [...files.values()]
}
