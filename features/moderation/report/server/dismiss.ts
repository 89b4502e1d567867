import * as audit from '#audit/server/audit.ts'
import type { Output, Refusal, ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { forEachWithSavepoint } from '#base/server/database/with-savepoint.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import { say, type Language } from '#base/server/words.ts'
import { settle } from '#report/server/decide.ts'
import { right } from '#report/server/own.ts'
import { thingColumns, thingView } from '#report/server/reported-post.ts'
import type { dismissCases } from '#report/dismiss-contract.ts'

type DismissInput = ParsedInput<typeof dismissCases>
type DismissFailure = { one: DismissInput['cases'][number]; refusal: Refusal }
type Faults = Output<typeof dismissCases>['faults']

/** Decides each case as if alone: cases that may not be decided, or changed since they were read, are skipped and reported. */
export async function dismiss(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { cases, ...said }: DismissInput,
): Promise<Output<typeof dismissCases>> {
  staff(right, { proved: cases.length > maxWithoutReauth })(by)
  const { done, refused } = await forEachWithSavepoint(
    tx,
    cases,
    ({ caseId }) => caseId,
    (one) => settle(tx, by, { ...one, ...said, outcome: 'failed', removes: false, why: '' }),
  )
  const actions = done.map(({ result }) => result)
  await audit.noteAll(tx, by.staff, client, actions)
  return { done: actions.length, faults: await faultsOf(tx, refused, client.language) }
}

async function faultsOf(tx: Db, refused: readonly DismissFailure[], language: Language): Promise<Faults> {
  const ids = refused.map(({ one }) => one.caseId)
  const rows = await tx.selectFrom('report_case').select('id').select(thingColumns).where('id', '=', anyOf(ids)).execute()
  const names = new Map(rows.map((row) => [row.id, thingView(row).title]))
  return refused.map(({ one: { caseId: id }, refusal: { kind, values } }) => ({
    id,
    name: names.get(id) ?? null,
    why: say(language, kind.code, values),
  }))
}
