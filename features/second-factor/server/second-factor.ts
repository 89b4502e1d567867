import { sql } from 'kysely'
import { primaryOf, type Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { ProveAgain } from '#second-factor/contract.ts'

const minutes = 10

/**
 * Refuses unless this member logged in, or showed again that it is them, within the last ten minutes and in this session: whoever finds a
 * device unlocked does not get the account, or its money.
 */
export async function mustHaveProved(db: Db, { sessionId }: Member): Promise<void> {
  // Staff at work in the administration have no session here, and prove themselves there.
  if (!sessionId) throw ProveAgain()
  // What was shown a moment ago is read where it was written.
  const fresh = await primaryOf(db)
    .selectFrom('session')
    .leftJoin('session_proof', 'session_id', 'id')
    .select('id')
    .where('id', '=', sessionId)
    .where(sql<boolean>`greatest(started_at, proved_at) > now() - ${minutes} * interval '1 minute'`)
    .executeTakeFirst()
  if (!fresh) throw ProveAgain()
}
