import type { Db } from '#base/server/database.ts'
import { anyOf } from '#base/server/database.ts'
import { isMember, type Viewer } from '#base/server/route.ts'
import { asMember, isShownTo } from '#message/server/as-member.ts'

/** Which of these messages a viewer has: one of the two who wrote to each other, as long as their copy stands. */
export async function shownAmong(db: Db, viewer: Viewer, messageIds: readonly string[]): Promise<Set<string>> {
  if (!isMember(viewer) || messageIds.length === 0) return new Set()
  const rows = await asMember(db, viewer.id, (as) =>
    as.selectFrom('message').select('id').where('id', '=', anyOf(messageIds)).where(isShownTo(viewer.id)).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}
