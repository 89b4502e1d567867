import type { Db } from '#base/server/database/database.ts'
import { collect, featuresOf } from '#base/server/feature.ts'

/** Why sessions end. */
export type EndReason = 'logged out' | 'ended by member' | 'password changed' | 'token reused' | 'deactivated' | 'ended by staff'

/** An event that ends all that speaks for a member, but for the session of the member who asks for it. */
export type Ending = { memberId: string; reason: EndReason; exceptSessionId?: string | undefined }

/** A credential that outlives sessions, as staff see it. */
export type LastingCredential = {
  id: string
  kind: 'programToken'
  name: string
  /** Whether it may write. */ mayWrite: boolean
  madeAt: Date
  expiresAt: Date
  isExpired: boolean
  lastUsedAt: Date | null
}

/** Tables of secrets by which somebody speaks for a member or gets into the account, and how they end; or a sentence: why they stay. */
export type Credential =
  | {
      tables: readonly string[]
      /** Ends all of a member’s. Features take part in their order, sessions before all that features below `account` keep. */
      end(tx: Db, ending: Ending): Promise<unknown>
      /** The events that end it; all of them if absent. */
      endsWhen?: readonly EndReason[]
      /** Those of a member that staff see beside the sessions. */
      list?(db: Db, memberId: string): Promise<LastingCredential[]>
    }
  | { tables: readonly string[]; stays: string }

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Every table of its own with secrets that speak for a member, so that each ending knows them. */
    readonly credentials?: readonly Credential[]
  }
}

/** Ends every credential that this event ends. */
export async function endCredentials(tx: Db, ending: Ending): Promise<void> {
  for (const its of endingCredentials(tx)) if (!its.endsWhen || its.endsWhen.includes(ending.reason)) await its.end(tx, ending)
}

/** The credentials of a member that outlive sessions, for staff. */
export async function lastingCredentials(db: Db, memberId: string): Promise<LastingCredential[]> {
  const lists = await Promise.all(endingCredentials(db).map((its) => (its.list ? its.list(db, memberId) : Promise.resolve([]))))
  return lists.flat()
}

/** Ends these alone: the member stays logged in. */
export async function endLastingCredentials(tx: Db, memberId: string): Promise<void> {
  for (const its of endingCredentials(tx)) if (its.list) await its.end(tx, { memberId, reason: 'ended by staff' })
}

function endingCredentials(db: Db) {
  return collect(featuresOf(db), 'credentials').filter((its) => 'end' in its)
}
