import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { NotAllowed, Refusal, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { renewWhile } from '#base/server/renewal.ts'
import * as contract from '#file/contract.ts'
import * as access from '#file/server/access.ts'
import { attachmentKindOf, isOfKind } from '#file/server/attachment-kind.ts'
import { fileNameFrom } from '#file/server/file-name.ts'
import * as file from '#file/server/file.ts'
import { losses } from '#file/limits.ts'
import { storage } from '#file/server/storage.ts'
import { attachmentName, incomingName, type StoredContent } from '#file/server/storage-types.ts'
import * as setting from '#setting/server/setting.ts'

const maxPending = 20
const uploadSeconds = 900
const headBytes = 4096
const renewalMs = 60_000

type PendingUpload = { id: string; kind: 'picture' | 'attachment'; name: string; bytes: number }

/** Announces a file, and returns the upload URL. */
export async function begin(
  tx: Db,
  member: Member,
  draft: ParsedInput<typeof contract.beginUpload>,
): Promise<Output<typeof contract.beginUpload>> {
  if (!member.may(`${draft.kind}.upload`)) throw NotAllowed()
  const name = fileNameFrom(draft.name)
  await refuseTooLarge(tx, { ...draft, name })
  const { count } = await tx
    .selectFrom('upload')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('owner_id', '=', member.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPending) throw contract.TooManyUploads({ seconds: 60 })

  const id = file.newId()
  await tx.insertInto('upload').values({ id, owner_id: member.id, kind: draft.kind, name, bytes: draft.bytes }).execute()
  const admission = await (await storage(tx)).admit(incomingName(id), draft.bytes, uploadSeconds)
  const own = { url: await access.uploadUrl(tx, member, id), headers: { 'content-type': 'application/octet-stream' } }
  return { file: id, ...(admission ?? own) }
}

type UploadContext = PrepareContext<ParsedInput<typeof contract.finishUpload>, Member>
type StoredUpload = file.StoredPicture | file.StoredAttachment

/** Processes an upload and stores it in its final form. Null if there is nothing to process: it never arrived, or is a file already. */
export async function processUpload({ db, viewer, input, inSeparateTransaction }: UploadContext): Promise<StoredUpload | null> {
  const pending = await inSeparateTransaction((tx) => claim(tx, viewer, input.file))
  if (!pending) return null
  const store = () =>
    pending.kind === 'picture' ? pictureFrom(db, viewer, pending, input.sha256) : attachmentFrom(db, pending, input.sha256)
  try {
    // Pictures may wait long for their turn.
    const stored = await renewWhile<StoredUpload | null>(store, () => inSeparateTransaction((tx) => renewClaim(tx, pending.id)), renewalMs)
    if (stored) await (await storage(db)).remove(incomingName(pending.id))
    return stored
  } catch (error) {
    // An invalid upload is deleted; one that could not be processed now may be retried.
    const isBad = error instanceof Refusal && error.kind.status === 422
    if (isBad) await (await storage(db)).remove(incomingName(pending.id))
    await inSeparateTransaction((tx) => (isBad ? deleteUpload(tx, pending.id) : releaseClaim(tx, pending.id)))
    throw error
  }
}

/** Creates the file of an upload. Idempotent. */
export async function finish(
  tx: Db,
  member: Member,
  fileId: string,
  stored: StoredUpload | null,
): Promise<Output<typeof contract.finishUpload>> {
  const wasBegun = await tx.selectFrom('upload').select('id').where('id', '=', fileId).where('owner_id', '=', member.id).executeTakeFirst()
  if (stored && wasBegun) {
    await deleteUpload(tx, fileId)
    await file.add(tx, member.id, stored)
  }
  const row = await tx
    .selectFrom('file')
    .select(['kind', 'name', 'bytes', 'width', 'height', 'lost'])
    .where('id', '=', fileId)
    .where('owner_id', '=', member.id)
    .executeTakeFirst()
  if (!row) throw wasBegun ? contract.UploadBroken() : contract.UploadGone()
  const { name, bytes, width, height } = row
  const lost = losses.filter((one) => row.lost.includes(one))
  if (row.kind === 'attachment') return { picture: null, attachment: { file: fileId, name: name ?? '', bytes } }
  return {
    picture: { file: fileId, src: await access.srcFor(tx, member, fileId), width: width ?? 1, height: height ?? 1, lost },
    attachment: null,
  }
}

export function begunBy(db: Db, member: Member, fileId: string): Promise<PendingUpload | undefined> {
  return db
    .selectFrom('upload')
    .select(['id', 'kind', 'name', 'bytes'])
    .where('id', '=', fileId)
    .where('owner_id', '=', member.id)
    .executeTakeFirst()
}

// The lock keeps two calls from processing the same upload, of which one could delete the other's result.
async function claim(tx: Db, member: Member, fileId: string): Promise<PendingUpload | undefined> {
  const pending = await begunBy(tx, member, fileId)
  const claimed = await tx
    .updateTable('upload')
    .set({ taken_at: sql`now()` })
    .where('id', '=', fileId)
    .where('owner_id', '=', member.id)
    .where((row) => row.or([row('taken_at', 'is', null), row('taken_at', '<', sql<Date>`now() - interval '3 minutes'`)]))
    .returning('id')
    .executeTakeFirst()
  if (pending && !claimed) throw contract.TooManyAtWork({ seconds: 5 })
  return pending
}

async function renewClaim(tx: Db, fileId: string): Promise<void> {
  await tx
    .updateTable('upload')
    .set({ taken_at: sql`now()` })
    .where('id', '=', fileId)
    .where('taken_at', 'is not', null)
    .execute()
}

async function releaseClaim(tx: Db, fileId: string): Promise<void> {
  await tx.updateTable('upload').set({ taken_at: null }).where('id', '=', fileId).execute()
}

async function deleteUpload(tx: Db, fileId: string): Promise<void> {
  await tx.deleteFrom('upload').where('id', '=', fileId).execute()
}

async function refuseTooLarge(db: Db, { kind, name, bytes }: Pick<PendingUpload, 'kind' | 'name' | 'bytes'>): Promise<void> {
  const { pictureKilobytes, attachmentKilobytes, attachmentKinds } = await setting.all(db)
  if (kind === 'picture') {
    if (bytes > pictureKilobytes * 1024) throw contract.PictureTooLarge({ megabytes: pictureKilobytes / 1000 })
    return
  }
  if (bytes > attachmentKilobytes * 1024) throw contract.AttachmentTooLarge({ megabytes: attachmentKilobytes / 1000 })
  const end = attachmentKindOf(name)
  if (!end || !attachmentKinds.includes(end)) throw contract.AttachmentOfUnknownKind({ kinds: attachmentKinds.join(', ') })
}

async function pictureFrom(
  db: Db,
  { id: memberId }: Member,
  { id, bytes }: PendingUpload,
  sha256: string | undefined,
): Promise<file.StoredPicture | null> {
  const stored = await (await storage(db)).get(incomingName(id))
  if (!stored) return null
  if (stored.bytes !== bytes) {
    stored.stream.destroy()
    throw contract.UploadBroken()
  }
  const whole = await buffer(stored.stream)
  if (sha256 && createHash('sha256').update(whole).digest('hex') !== sha256) throw contract.UploadBroken()
  const { pictureKilobytes } = await setting.all(db)
  return file.storePicture(db, { bytes: whole }, { kilobytes: pictureKilobytes, sender: `member ${memberId}`, id })
}

// It is copied first to a name that no client can write to.
async function attachmentFrom(
  db: Db,
  { id, name, bytes }: PendingUpload,
  sha256: string | undefined,
): Promise<file.StoredAttachment | null> {
  const place = await storage(db)
  const received = await place.get(incomingName(id), { from: 0, to: 0 })
  received?.stream.destroy()
  if (!received) return null
  if (received.bytes !== bytes) throw contract.UploadBroken()

  await place.copy(incomingName(id), attachmentName(id))
  try {
    const inspected = await inspect(await place.get(attachmentName(id)))
    if (inspected.bytes !== bytes || (sha256 && inspected.sha256.toString('hex') !== sha256)) throw contract.UploadBroken()
    const kind = attachmentKindOf(name)
    if (!kind || !isOfKind(inspected.head, kind)) throw contract.AttachmentNotAsNamed()
    return { id, kind: 'attachment', name, bytes, sha256: inspected.sha256 }
  } catch (error) {
    await place.remove(attachmentName(id))
    throw error
  }
}

async function inspect(stored: StoredContent | null): Promise<{ bytes: number; sha256: Buffer; head: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  for await (const piece of stored?.stream ?? []) {
    hash.update(piece)
    bytes += piece.length
    if (head.length < headBytes) head = Buffer.concat([head, piece]).subarray(0, headBytes)
  }
  return { bytes, sha256: hash.digest(), head }
}
