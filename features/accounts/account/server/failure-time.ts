import type { Db } from '#base/server/database/database.ts'
import * as user from '#user/server/user.ts'

export const failureMs = 2_000

/**
 * While members have hashes of other programs, which take longer to compare than ours, each failed login answers two seconds after its
 * comparison began: no duration tells which accounts have one.
 */
export async function awaitFailureTime(db: Db, tookMs: number): Promise<void> {
  if (!(await user.hasImportedHashes(db))) return
  await new Promise<void>((done) => void setTimeout(done, Math.max(0, failureMs - tookMs)))
}
