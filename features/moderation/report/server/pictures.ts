import { anyOf, type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import { PictureNotYours, TooManyPictures } from '#report/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** Appends pictures to a report. Only the reporter can open their addresses. */
export async function attach(tx: Db, reporterId: string, reportId: string, fileIds: readonly string[]): Promise<void> {
  const ids = [...new Set(fileIds)]
  if (ids.length === 0) return
  const { picturesPerReport: max } = await setting.all(tx)
  const there = (await of(tx, [reportId])).get(reportId) ?? []
  if (there.length + ids.length > max) throw TooManyPictures({ max })
  if ((await file.picturesOf(tx, ids, reporterId)).size < ids.length) throw PictureNotYours()
  await file.markUsed(tx, ids)
  const rows = ids.map((file_id, index) => ({ report_id: reportId, file_id, position: there.length + index }))
  await tx.insertInto('report_picture').values(rows).execute()
}

/** The pictures of these reports, by report id. */
export async function of(db: Db, reportIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (reportIds.length === 0) return found
  const rows = await db
    .selectFrom('report_picture')
    .select(['report_id', 'file_id'])
    .where('report_id', '=', anyOf(reportIds))
    .orderBy('position')
    .execute()
  for (const { report_id, file_id } of rows) found.set(report_id, [...(found.get(report_id) ?? []), file_id])
  return found
}
