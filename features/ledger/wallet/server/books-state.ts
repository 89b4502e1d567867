import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Breach } from '#wallet/server/breaches.ts'

export type BooksState = {
  frozen: { at: Date; reason: string; byStaff: string | null } | null
  /** The last check of new transactions, and the last full one. */
  looks: { at: Date; isFull: boolean; breaches: Breach[] }[]
  /** Overdue checks, with the time since which none has ended. */
  late: OverdueCheck[]
}

export type OverdueCheck = { of: 'new' | 'full'; since: Date }

export async function booksState(db: Db): Promise<BooksState> {
  const [frozen, looks, late] = await Promise.all([
    db
      .selectFrom('ledger.freezing')
      .leftJoin('staff', 'staff.id', 'staff_id')
      .select(['at', 'reason', 'staff.account as byStaff'])
      .where('thawed_at', 'is', null)
      .executeTakeFirst(),
    db
      .selectFrom('books_check')
      .distinctOn('is_full')
      .select(['began_at', 'is_full', 'breaches'])
      .where((on) => on.or([on('ended_at', 'is not', null), on('breaches', '<>', '[]')]))
      .orderBy('is_full')
      .orderBy('id', 'desc')
      .execute(),
    overdueChecks(db),
  ])
  return {
    frozen: frozen ?? null,
    looks: looks.map(({ began_at: at, is_full: isFull, breaches }) => ({ at, isFull, breaches: breaches as Breach[] })),
    late,
  }
}

const maxAge = { new: '10 minutes', full: '2 days' }

/** Overdue kinds of checks. If none ever ended, the deadline counts from the first that began. */
export async function overdueChecks(db: Db): Promise<OverdueCheck[]> {
  const { rows } = await sql<OverdueCheck>`
    select of, since from (
      select 'new' as of, coalesce(max(began_at) filter (where ended_at is not null and not is_full), min(began_at)) as since, ${maxAge.new}::interval as patience
        from books_check
      union all
      select 'full', coalesce(max(ended_at) filter (where is_full), min(began_at)), ${maxAge.full}::interval from books_check
    ) as its where since < now() - patience`.execute(db)
  return rows
}
