import { setTimeout } from 'node:timers/promises'
import type { Db } from '#base/server/database/database.ts'
import * as user from '#user/server/user.ts'

const failureMs = 2_000

/**
 * While members have hashes of other programs, which take up to a second to compare, each failed login answers two seconds after its
 * comparison began: no duration tells which accounts have one.
 */
export async function awaitFailureTime(db: Db, tookMs: number): Promise<void> {
  if (await user.hasImportedHashes(db)) await setTimeout(Math.max(0, failureMs - tookMs))
}
