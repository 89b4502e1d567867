import type { Database } from '#base/server/database/database.ts'
import type { StreamBody } from '#base/server/http/route.ts'
import type { FindingView } from '#maintenance/doctor-contract.ts'

type Examiner = (database: Database) => AsyncIterable<FindingView>

let examiner: Examiner | null = null

/** Sets the checks of this program, which know its configuration. */
export function openDoctor(examine: Examiner): void {
  examiner = examine
}

/** Makes the checks. Each finding is a piece of the answer. */
export function examination(): StreamBody<FindingView> {
  return async function* ({ database, signal }) {
    for await (const finding of examiner?.(database) ?? []) {
      signal.throwIfAborted()
      yield finding
    }
  }
}
