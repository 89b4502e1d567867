import * as audit from '#audit/server/audit.ts'
import { Refusal, type Output, type Taken } from '#base/contract.ts'
import { few } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import { staff, type From, type Staff } from '#base/server/route.ts'
import { say, type Language } from '#base/server/words.ts'
import { settle } from '#report/server/decide.ts'
import { right } from '#report/server/own.ts'
import { thingColumns, thingView } from '#report/server/thing.ts'
import type { dismissCases } from '#report/dismiss-contract.ts'

type Asked = Taken<typeof dismissCases>
type Faults = Output<typeof dismissCases>['faults']

/** Each case is decided as it is alone: what may not be, or is not as it was read, is left and told. */
export async function dismiss(tx: Db, by: Staff, from: From, { cases, ...said }: Asked): Promise<Output<typeof dismissCases>> {
  staff(right, { proved: cases.length > few })(by)
  const deeds: audit.Deed[] = []
  const faults: { id: string; refusal: Refusal }[] = []
  for (const one of inOrder(cases)) {
    try {
      deeds.push(await settle(tx, by, { ...one, ...said, outcome: 'failed', removes: false, why: '' }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push({ id: one.caseId, refusal: error })
    }
  }
  await audit.noteAll(tx, by.staff, from, deeds)
  return { done: deeds.length, faults: await told(tx, faults, from.language) }
}

// Each once and in one order, so that two who decide about the same cases wait for one another, and not in a circle.
function inOrder(cases: Asked['cases']): Asked['cases'] {
  const each = new Map(cases.map((one) => [one.caseId, one]))
  return [...each.values()].toSorted((one, other) => (BigInt(one.caseId) < BigInt(other.caseId) ? -1 : 1))
}

async function told(tx: Db, faults: readonly { id: string; refusal: Refusal }[], language: Language): Promise<Faults> {
  const ids = faults.map(({ id }) => id)
  const rows = await tx.selectFrom('report_case').select('id').select(thingColumns).where('id', '=', anyOf(ids)).execute()
  const names = new Map(rows.map((row) => [row.id, thingView(row).title]))
  return faults.map(({ id, refusal: { kind, values } }) => ({ id, name: names.get(id) ?? null, why: say(language, kind.code, values) }))
}
