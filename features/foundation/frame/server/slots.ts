import * as audit from '#audit/server/audit.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { ChangedBy, slotPlaces, type editSlot, type slotList } from '#frame/contract.ts'
import { cleanHtml } from '#frame/server/clean-html.ts'
import { markChanged } from '#frame/server/frame.ts'

export async function list(db: Db): Promise<Output<typeof slotList>> {
  const rows = await db.selectFrom('slot').select(['place', 'zh', 'en', 'is_on as isOn', 'version']).execute()
  return {
    slots: slotPlaces.map((place) => ({ zh: '', en: '', isOn: false, version: 0, ...rows.find((row) => row.place === place), place })),
  }
}

/** Stores the cleaned HTML, and returns what was removed. */
export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { place, version, isOn, ...written }: ParsedInput<typeof editSlot>,
): Promise<Output<typeof editSlot>> {
  const [zh, en] = [cleanHtml(written.zh), cleanHtml(written.en)]
  const values = { zh: zh.html, en: en.html, is_on: isOn }
  await tx
    .insertInto('slot')
    .values({ place, version: 0 })
    .onConflict((conflict) => conflict.column('place').doNothing())
    .execute()
  const before = await tx
    .selectFrom('slot')
    .select(['zh', 'en', 'is_on', 'version'])
    .where('place', '=', place)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.version !== version) throw ChangedBy({ account: (await audit.lastActor(tx, `slot ${place}`)) ?? '?' })
  await tx
    .updateTable('slot')
    .set({ ...values, version: version + 1 })
    .where('place', '=', place)
    .execute()
  markChanged(tx)
  const { version: _, ...was } = before
  await audit.note(tx, by, client, { action: 'slot.edit', about: `slot ${place}`, before: was, after: values })
  return { leftOut: [...new Set([...zh.leftOut, ...en.leftOut])] }
}
