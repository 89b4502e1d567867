import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { BrandPicture } from '#base/branding.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as contract from '#look/contract.ts'
import { pictureSettings, type PictureSetting } from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'

// The upload limit is larger, so that a picture above the limit is refused at its field.
export const maxUploadBytes = 2 * contract.maxKilobytes * 1024
/** Retention of replaced pictures, in days. */
const retentionDays = 30
const maxEarlier = 6

type UploadContext = PrepareContext<ParsedInput<typeof contract.changeLook>, Staff>

/** Checks an upload and stores it in all required sizes. A refused file is deleted like any unused file. */
export async function storePicture({ db, viewer, upload, input: { which } }: UploadContext): Promise<file.StoredPicture> {
  const picture = await file.storePicture(db, upload, { kilobytes: contract.maxKilobytes, isMark: true, sender: `staff ${viewer.id}` })
  refuseShape(which, picture)
  if (which === 'icon') await file.keepIcons(db, picture.id)
  return picture
}

function refuseShape(which: PictureSetting, { width, height }: file.StoredPicture): void {
  const size = { width, height }
  // Scaling may leave a square one pixel off.
  if (which === 'icon' && Math.abs(width - height) > 1) throw contract.IconNotSquare(size)
  if (which !== 'icon' && (width < height || width > height * contract.maxLogoRatio))
    throw contract.LogoOfWrongShape({ ...size, widest: contract.maxLogoRatio })
  if (height < contract.minSide) throw contract.PictureTooSmall({ ...size, least: contract.minSide })
}

export async function change(tx: Db, by: Staff, client: ClientInfo, which: PictureSetting, picture: file.StoredPicture): Promise<void> {
  await file.add(tx, by.id, picture)
  await show(tx, by.staff, client, which, { file: picture.id, width: picture.width, height: picture.height })
}

/** Only a former picture: a file of a member does not become the site's by naming its id. */
export async function restore(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { which, file: id }: ParsedInput<typeof contract.returnLook>,
): Promise<void> {
  const before = (await earlierPictures(tx, which)).find(({ picture }) => picture.file === id)
  if (!before) throw Missing()
  await show(tx, by, client, which, before.picture)
}

export async function show(tx: Db, by: StaffActor, client: ClientInfo, which: PictureSetting, picture: BrandPicture | null): Promise<void> {
  await setting.lock(tx)
  const before = (await setting.stored(tx))[which]
  if (before?.file === picture?.file) return
  if (picture) await file.markUsed(tx, [picture.file])
  if (before) await file.release(tx, before.file, retentionDays)
  await setting.change(tx, which, picture, by.account)
  await audit.note(tx, by, client, { action: 'setting.change', about: `setting ${which}`, before, after: picture })
}

export async function list(db: Db): Promise<Output<typeof contract.listLook>> {
  const settings = await setting.stored(db)
  const pictures = pictureSettings.map(async (which) => {
    const now = settings[which]
    const before = (await earlierPictures(db, which)).filter(({ picture }) => picture.file !== now?.file)
    const standing = await file.existing(
      db,
      before.map(({ picture }) => picture.file),
    )
    return {
      which,
      now: now && viewOf(now),
      earlier: before
        .filter(({ picture }) => standing.has(picture.file))
        .slice(0, maxEarlier)
        .map((one) => ({ ...one, picture: viewOf(one.picture) })),
    }
  })
  return { pictures: await Promise.all(pictures) }
}

async function earlierPictures(db: Db, which: PictureSetting) {
  const actions = await audit.about(db, [`setting ${which}`], 50)
  const found = new Map<string, { picture: BrandPicture; by: string; at: string }>()
  for (const { before, account: by, at } of actions) {
    const picture = before as BrandPicture | null
    if (picture && !found.has(picture.file)) found.set(picture.file, { picture, by, at: at.toISOString() })
  }
  return [...found.values()]
}

// This URL also serves replaced pictures.
function viewOf({ file: id, width, height }: BrandPicture) {
  return { file: id, src: file.srcOf(id), width, height }
}
