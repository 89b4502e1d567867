import type pg from 'pg'
import type * as ast from 'typescript/unstable/ast'
import type { Type } from 'typescript/unstable/sync'
import { declaredRow, differences, unprovenColumns } from './compare.ts'
import { textsOf, type Site } from './compose.ts'
import { describe } from './describe.ts'
import type { Types } from './kinds.ts'
import { unproved } from './nulls.ts'
import type { Source } from './source.ts'

/** The faults of a statement, each with its place. */
export type StatementFaults = {
  /** The reasons why its text is unknown. */
  untold: string[]
  refused: string[]
  different: string[]
}

type StatementContext = {
  source: Source
  client: pg.Client
  types: Types
  /** Collects the SQL fragments evaluated. */ met: Set<ast.Node>
  /** Chooses the combinations of forks. */ chance: number
}

/** Lets the database describe a statement, in every text that it may have, and compares the result with the declaration. */
export async function checkStatement(context: StatementContext, site: Site): Promise<StatementFaults> {
  const { texts, failures } = textsOf(context.source, site, context.met, context.chance)
  const row = declaredRow(context.source, site)
  const untold = failures.length === 0 && texts.length === 0 ? ['nothing leads here'] : failures
  const [refused, different] = [new Set<string>(), new Set<string>()]
  for (const text of texts)
    try {
      for (const one of await differencesOf(context, row, text)) different.add(one)
    } catch (error) {
      refused.add(`${(error as Error).message}: ${text.replaceAll(/\s+/g, ' ')}`)
    }
  const placed = (all: Iterable<string>) => [...all].map((one) => `${site.place} ${one}`)
  return { untold: placed(untold), refused: placed(refused), different: placed(different) }
}

async function differencesOf({ source, client, types }: StatementContext, row: Type | null, text: string): Promise<string[]> {
  const columns = await describe(client, text)
  if (!row) return []
  const nullable = await unproved(client, text, unprovenColumns(source, row, columns, text, types))
  return [...differences(source, row, columns, types), ...nullable.map((name) => `${name} may be null, which is not declared`)]
}
