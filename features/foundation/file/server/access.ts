import { sql } from 'kysely'
import { anyOf, type Database, type Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { keyFor, keyOfStaff, readKey } from '#file/server/key.ts'
import { cachePublicFiles, type FileRecord, type FileUse, type FindPublicFile } from '#file/server/public-files.ts'
import { srcOf } from '#file/server/src.ts'
import * as setting from '#setting/server/setting.ts'

/** Access rules injected by the app, since they depend on features later in the order. */
export type AccessRules = {
  visitor(): Promise<Viewer>
  inSession(sessionId: string): Promise<Member | null>
  /** The places among these where the viewer sees the file now. */
  seen(db: Db, viewer: Viewer, places: readonly FileUse[]): Promise<readonly FileUse[]>
}

const secretName = 'file key'
let rules: (AccessRules & { shownToAll: FindPublicFile }) | null = null

export async function openAccess(database: Database, newRules: AccessRules): Promise<void> {
  const { app, primaryReader: reader } = database
  const shownToAll = cachePublicFiles(database, async (ids) => visibleFiles(reader, await newRules.visitor(), await readFiles(reader, ids)))
  rules = { ...newRules, shownToAll }
  await secretOf(app, secretName)
}

/**
 * A file that the requester may see: without limit, or until their key expires. Rights are checked on each request, so that a
 * revocation takes effect at once. While the site is closed, only staff's keys are valid.
 */
export async function accessibleFile(
  { app, reader }: Database,
  fileId: string,
  key: string | undefined,
): Promise<{ file: FileRecord; until: Date | null } | null> {
  const isClosed = (await setting.all(reader)).siteState === 'closed'
  const publicFile = isClosed ? null : await injected().shownToAll(fileId)
  if (publicFile) return { file: publicFile, until: null }
  const read = key === undefined ? null : readKey(await secretOf(app, secretName), fileId, key)
  if (!read || (isClosed && read.sessionId !== keyOfStaff && !read.sessionId.startsWith(staffPrefix))) return null
  // The primary, since a replica may lag behind a revocation.
  const [file] = await readFiles(app, [fileId])
  if (!file) return null
  // The right of this key's holder was checked when it was issued, minutes ago.
  if (read.sessionId === keyOfStaff) return { file, until: read.until }
  const member = await injected().inSession(read.sessionId)
  const isSeen = member && (await visibleFiles(app, member, [file])).length > 0
  return isSeen ? { file, until: read.until } : null
}

/** The form of staff's session ids in keys; those of members are plain numbers. */
export function staffSession(sessionId: string): string {
  return staffPrefix + sessionId
}

const staffPrefix = 's'

/** Keys to those of these files that this member may see. */
export async function keysTo(db: Db, member: Member, fileIds: readonly string[]): Promise<{ file: string; key: string }[]> {
  const secret = await secretOf(db, secretName)
  const files = await visibleFiles(db, member, await readFiles(db, fileIds))
  // Archives have keys of their own, which need more than a session.
  return files.filter(({ kind }) => kind !== 'archive').map(({ id }) => ({ file: id, key: keyFor(secret, id, member.sessionId) }))
}

const fileInHtml = /\/file\/(f_[\w-]+)(\?)?/g

/** The address of an archive for its owner, valid for some minutes. Null for anyone else. */
export async function addressOfArchive(db: Db, member: Member, fileId: string): Promise<string | null> {
  const [file] = await readFiles(db, [fileId])
  return file?.kind === 'archive' && file.ownerId === member.id ? srcFor(db, member, fileId) : null
}

/** The same HTML with keys to its files, for staff who review unpublished posts. */
export async function withStaffKeys(db: Db, html: string): Promise<string> {
  const secret = await secretOf(db, secretName)
  return html.replaceAll(fileInHtml, (_, fileId: string, query?: string) => {
    const src = `${srcOf(fileId)}?key=${keyFor(secret, fileId, keyOfStaff)}`
    return query ? `${src}&amp;` : src
  })
}

/** The address to which a member uploads a file through this server, if the storage has no upload URLs of its own. */
export async function uploadUrl(db: Db, member: Member, fileId: string): Promise<string> {
  return `/file/incoming/${fileId}?key=${keyFor(await secretOf(db, secretName), uploadSubject(fileId), member.sessionId)}`
}

/** The member authorised to upload this file by the key in the address. */
export async function uploaderOf(db: Db, fileId: string, key: string): Promise<Member | null> {
  const read = readKey(await secretOf(db, secretName), uploadSubject(fileId), key)
  return read && injected().inSession(read.sessionId)
}

// Keys for reading are not valid for uploads.
function uploadSubject(fileId: string): string {
  return `incoming ${fileId}`
}

/** The address at which a member sees their new upload. */
export async function srcFor(db: Db, member: Member, fileId: string): Promise<string> {
  return `${srcOf(fileId)}?key=${keyFor(await secretOf(db, secretName), fileId, member.sessionId)}`
}

/** The address at which staff see a new upload, whoever its owner is. */
export async function srcForStaff(db: Db, fileId: string): Promise<string> {
  return `${srcOf(fileId)}?key=${keyFor(await secretOf(db, secretName), fileId, keyOfStaff)}`
}

function injected() {
  if (!rules) throw new Error('Files are not open')
  return rules
}

// A file in no post is visible to its owner only.
async function visibleFiles(db: Db, viewer: Viewer, files: readonly FileRecord[]): Promise<FileRecord[]> {
  const isAnyway = ({ kind, ownerId }: FileRecord) => kind === 'avatar' || (viewer.id !== null && viewer.id === ownerId)
  const places = files.flatMap((file) => (isAnyway(file) ? [] : file.places))
  const open = new Set(places.length > 0 ? await injected().seen(db, viewer, places) : [])
  return files.filter((file) => isAnyway(file) || file.places.some((place) => open.has(place)))
}

async function readFiles(db: Db, fileIds: readonly string[]): Promise<FileRecord[]> {
  const rows = await db
    .selectFrom('file')
    .leftJoin('file_use', 'file_use.file_id', 'file.id')
    .select(['file.id', 'kind', 'owner_id', 'name', 'bytes', 'topic_id', 'comment_id', 'reply_id', 'part_id', 'message_id'])
    .select(sql<boolean>`rendered_at is not null`.as('is_rendered'))
    .where('file.id', '=', anyOf(fileIds))
    .execute()
  const files = new Map<string, FileRecord & { places: FileUse[] }>()
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
