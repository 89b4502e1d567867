import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { EditView } from '#audit/contract.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Subjects of log entries that have a name, by their kind: the table and the columns of the name in both languages. */
    readonly auditSubjects?: Readonly<Record<string, AuditSubject>>
    /** The changes that edits made, by the entry of the log. */
    readonly auditEdits?: (db: Db, entries: readonly LoggedEdit[]) => Promise<ReadonlyMap<string, EditView>>
  }
}

export type AuditSubject = { table: string; zh: string; en: string }
export type LoggedEdit = { id: string; action: string; before: unknown }

export type SubjectName = { zh: string; en: string }

/** The present names of what log entries are about, by kind and id: `member 42`. */
export async function subjectNames(db: Db, abouts: readonly (string | null)[]): Promise<ReadonlyMap<string, SubjectName>> {
  const subjects = featuresOf(db).flatMap(({ auditSubjects }) => Object.entries(auditSubjects ?? {}))
  const selects = subjects.map(([kind, { table, zh, en }]: [string, AuditSubject]) => {
    const about = sql`${`${kind} `}::text || id`
    return sql`select ${about} as about, ${sql.ref(zh)} as zh, ${sql.ref(en)} as en from ${sql.table(table)} where id = any(${idsOf(kind, abouts)}::bigint[])`
  })
  const { rows } = await sql<SubjectName & { about: string }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ about, zh, en }) => [about, { zh, en }]))
}

function idsOf(kind: string, abouts: readonly (string | null)[]): string[] {
  return abouts.flatMap((about) => new RegExp(`^${kind} (\\d{1,18})$`).exec(about ?? '')?.[1] ?? [])
}
