import type { Hidden, Lock } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import { LockNotAllowed, NoSuchLevel, PriceTooHigh, TooManyParts } from '#hidden-part/contract.ts'
import type { PartOutline } from '#hidden-part/server/part.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { toMinor, toYuan } from '#wallet/contract.ts'

/** Whether a moderator sees all hidden parts: of every tag in the administration, otherwise of this tag. */
export function seeAll(viewer: Viewer, tagId: string): boolean {
  return viewer.staff ? viewer.staff.may('content.seeHidden') : viewer.may('topic.seeHidden', tagId)
}

/** Whether a member may use this lock at all. */
export function lockBy(settings: Settings, by: Viewer, lock: Lock): boolean {
  return (lock !== 'balance' || settings.allowCash) && by.may(`hidden.${lock}`)
}

type PartRequest = Hidden['attrs'] & { isNew: boolean; before: PartOutline | undefined }

/** Refuses more parts than the site allows, and locks that this member may not set. Unchanged properties of a part stay allowed. */
export async function requireAllowed(
  db: Db,
  { by, at }: { by: Member; at?: Date | undefined },
  parts: readonly PartRequest[],
): Promise<void> {
  // Imported posts are exempt from the current rules, and so are corrections by staff.
  if (at || by.staff) return
  const settings = await setting.all(db)
  const isMore = parts.some(({ before }) => !before)
  if (isMore && parts.length > settings.hiddenPartsPerTopic) throw TooManyParts({ max: settings.hiddenPartsPerTopic })
  for (const { lock, value, isNew, before } of parts) {
    if (!isNew || (before?.lock === lock && (before.needs ?? '') === value)) continue
    if (before?.lock !== lock && !lockBy(settings, by, lock)) throw LockNotAllowed({ lock })
    if (lock === 'points' && Number(value) > settings.maxHiddenPoints)
      throw PriceTooHigh({ lock, max: settings.maxHiddenPoints, amount: 0 })
    if (lock === 'balance' && Number(value) > settings.maxHiddenCents)
      throw PriceTooHigh({ lock, max: 0, amount: toYuan(toMinor(settings.maxHiddenCents)) })
    if (lock === 'level' && !(await user.levels(db)).some(({ needs }) => needs === value)) throw NoSuchLevel()
  }
}
