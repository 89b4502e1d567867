import { sql } from 'kysely'
import { publishStream } from '#base/server/live/live.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'
import { envelopeNews, type envelopeStates } from '#red-envelope/contract.ts'
import { cacheTagOf } from '#red-envelope/server/invalidate.ts'
import { visibleTagId } from '#red-envelope/server/place.ts'

type Row = {
  taken: number
  state: (typeof envelopeStates)[number]
  hasThread: boolean
  /** The tag of its thread; null while the envelope's post is not on the page. */
  tagId: string | null
  giverId: string
  receiverId: string | null
}

/** The stream of an envelope's state. Shares are paid in sets, so there is at most one update a second. */
export const streams = [
  publishStream(
    envelopeNews,
    ({ envelopeId }) => cacheTagOf(envelopeId),
    async (db, { envelopeId }) => {
      const { rows } = await sql<Row>`
        select paid as taken, state, topic_id is not null as "hasThread", ${visibleTagId} as "tagId", ledger.current_member(giver_id)::text as "giverId",
          ledger.current_member(receiver_id)::text as "receiverId"
        from red_envelope as given where given.id = ${envelopeId} and given.state not in ('waiting', 'dropped')`.execute(db)
      const [row] = rows
      if (!row) return null
      const { taken, state } = row
      return { id: `${state}-${taken}`, data: { taken, state }, seenBy: (viewer: Viewer) => isSeenBy(viewer, row) }
    },
  ),
]

function isSeenBy(viewer: Viewer, { hasThread, tagId, giverId, receiverId }: Row): boolean {
  if (hasThread) return tagId !== null && viewer.may('tag.view', tagId)
  return isMember(viewer) && (viewer.id === giverId || viewer.id === receiverId)
}
