import type { Selectable } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { MaintenanceTask } from '#database/tables.ts'
import { problems, type FindingsView, type kinds, type WorkView } from '#maintenance/contract.ts'

type Kind = (typeof kinds)[number]

export function view(row: Selectable<MaintenanceTask>): WorkView {
  return {
    id: row.id,
    kind: row.kind,
    about: row.about,
    by: row.asked_by,
    askedAt: row.asked_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    state: row.state,
    step: row.step,
    done: Number(row.done),
    total: Number(row.total),
    problem: problems.find((one) => one === row.problem) ?? null,
    detail: row.detail,
    findings: row.found as FindingsView | null,
  }
}

/** The latest tasks of these kinds, running ones included. */
export async function newest(db: Db, kinds: readonly Kind[], atMost: number): Promise<WorkView[]> {
  const rows = await db
    .selectFrom('maintenance_task')
    .selectAll()
    .where('kind', '=', anyOf(kinds))
    .orderBy('id', 'desc')
    .limit(atMost)
    .execute()
  return rows.map(view)
}

/** The latest rehearsal of each of these backups. */
export async function rehearsalsOf(db: Db, names: readonly string[]): Promise<Map<string, WorkView>> {
  const rows = await db
    .selectFrom('maintenance_task')
    .selectAll()
    .distinctOn('about')
    .where('kind', '=', 'rehearsal')
    .where('about', '=', anyOf(names))
    .orderBy('about')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.about ?? '', view(row)]))
}
