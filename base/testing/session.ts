import { sql } from 'kysely'
import type { z } from 'zod'
import type { LoginView, TokenPair } from '#account/contract.ts'
import type { Database } from '#base/server/database/database.ts'

/** The session of a login without further steps. */
export function sessionOf(view: z.infer<typeof LoginView> | null): z.infer<typeof TokenPair> {
  if (view === null || !('accessToken' in view)) throw new Error('More is asked for than was shown')
  return view
}

/** A login an hour ago, without a recent re-authentication. */
export async function ageLogin({ app }: Database, { id }: { id: string }): Promise<void> {
  await sql`delete from session_proof where session_id in (select id from session where member_id = ${id})`.execute(app)
  await sql`update session set started_at = now() - interval '1 hour' where member_id = ${id}`.execute(app)
}
