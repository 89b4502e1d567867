import pg from 'pg'

type Plan = { 'One-Time Filter'?: string; 'Join Type'?: string; 'Parent Relationship'?: string; Plans?: Plan[] }

/**
 * The columns that may be null as far as the database knows. For the others its planner proves, by constraints and conditions, that no row
 * with a null is found. Nothing is proved for statements that change rows.
 */
export async function unproved(client: pg.Client, text: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0 || (await isProved(client, text, names))) return []
  if (names.length === 1) return [...names]
  const found: string[] = []
  for (const name of names) found.push(...(await unproved(client, text, [name])))
  return found
}

async function isProved(client: pg.Client, text: string, names: readonly string[]): Promise<boolean> {
  if (changesRows(text)) return false
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(looking(text, names))
  return rows.some((row) => row['QUERY PLAN'].some(({ Plan }) => isEmpty(Plan)))
}

// A join is empty if the side whose rows it keeps is empty, or either side of an inner join.
function isEmpty({ 'One-Time Filter': filter, 'Join Type': join, Plans: parts = [] }: Plan): boolean {
  if (filter === 'false') return true
  const inputs = parts.filter(({ 'Parent Relationship': as }) => as === 'Outer' || as === 'Inner' || as === 'Subquery')
  if (join === undefined) return inputs.length === 1 && inputs.some(isEmpty)
  return inputs.some((input) => isEmpty(input) && (join === 'Inner' || join === 'Semi' || input['Parent Relationship'] === keptBy[join]))
}

const keptBy: Record<string, string> = { Left: 'Outer', Anti: 'Outer', Right: 'Inner' }

function looking(text: string, names: readonly string[]): string {
  const isNull = names.map((name) => `its.${pg.escapeIdentifier(name)} is null`).join(' or ')
  return `explain (generic_plan, format json) select from (${withoutLimits(text)}) as its where ${isNull}`
}

/** Whether the statement modifies rows. */
export function changesRows(text: string): boolean {
  return /\b(insert into|delete from|update\s+[\w".]+(\s+as\s+\w+)?\s+set)\b/i.test(text)
}

// Limits and locks change no column, and keep the planner from looking inside.
function withoutLimits(text: string): string {
  return text
    .replaceAll(/\sfor (no key )?(update|share)( of [\w".]+)?( skip locked)?(?=[\s)]|$)/gi, '')
    .replaceAll(/\s(limit|offset) [\w$.]+/gi, '')
}
