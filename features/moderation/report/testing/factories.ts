import type { Person } from '#base/testing/forum.ts'
import { addReport, reportForm } from '#report/contract.ts'
import type { Kind } from '#kind/contract.ts'

type Draft = { kind?: Kind; category?: string; reason?: string; pictures?: string[] }

/** A report over HTTP, for a category by its English name. Returns its id. */
export async function aReport(reporter: Person, thingId: string, { kind = 'comment', category = 'Insults somebody', ...rest }: Draft = {}) {
  const { groups } = await reporter.call(reportForm, { kind, thingId })
  const chosen = groups.flatMap(({ categories }) => categories).find(({ name }) => name.en === category)
  const { reportId } = await reporter.call(addReport, { kind, thingId, categoryId: chosen?.id ?? '0', ...rest })
  return reportId
}
