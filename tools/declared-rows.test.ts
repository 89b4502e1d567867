import pg from 'pg'
import type * as ast from 'typescript/unstable/ast'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { sitesIn, type Site } from './statements/compose.ts'
import { typesIn } from './statements/kinds.ts'
import { checkStatement, type StatementFaults } from './statements/check-statement.ts'
import { Source } from './statements/source.ts'

const sample = 'tools/statements/sample.ts'
const source = new Source()
const met = new Set<ast.Node>()
const results: (StatementFaults & { place: string })[] = []

const firstChance = 42
const furtherChances = 6

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client

beforeAll(async () => {
  fresh = await freshDatabase()
  await prepareJobs(fresh.ownerUrl)
  client = new pg.Client({ connectionString: fresh.ownerUrl })
  await client.connect()
  // Makes the planner also use constraints and conditions for columns compared with null.
  await client.query('set constraint_exclusion = on')
  const types = await typesIn(client)
  const filesOf = new Map<Site, Set<string>>()
  async function check(site: Site, chance: number): Promise<void> {
    const own = new Set<ast.Node>()
    results.push({ place: site.place, ...(await checkStatement({ source, client, types, met: own, chance }, site)) })
    for (const piece of own) met.add(piece)
    filesOf.set(site, new Set([...own].map(fileOf)))
  }
  const sites = sitesIn(source)
  for (const site of sites) await check(site, firstChance)
  // A piece that only a rare combination of forks leads to: the statements of its file are composed in other ways.
  for (let chance = firstChance + 1; chance < firstChance + furtherChances; chance++) {
    const files = new Set(unmet().map(fileOf))
    for (const site of sites) if ([...(filesOf.get(site) ?? [])].some((file) => files.has(file))) await check(site, chance)
  }
})
afterAll(async () => {
  source.close()
  await client.end()
  await fresh.close()
})

/** The pieces of SQL that no statement had so far. */
function unmet(): ast.Node[] {
  return source.pieces().filter((piece) => {
    const place = source.placeOf(piece)
    // The checks of the books are one long list, of which a path meets some. Their own tests run each of them.
    return !met.has(piece) && !place.startsWith(sample) && !/checks\.ts:\d+$/.test(place)
  })
}

function fileOf(node: ast.Node): string {
  return node.getSourceFile().fileName
}

test('each statement of the server is valid for the database', () => {
  expect(ofServer('refused')).toEqual([])
})

test('a statement answers the columns that are declared, of their types, and null only where that is declared', () => {
  expect(ofServer('different').map((one) => one.replace(/:\d+ /, ' '))).toEqual([])
})

test('the SQL of each statement, and of each piece, can be read from the source', () => {
  expect(results.length).toBeGreaterThan(1000)
  expect(ofServer('untold')).toEqual([])
  expect(unmet().map((piece) => source.placeOf(piece))).toEqual([])
})

test('a row that is declared wrongly is found, however its statement is put together', () => {
  expect(ofSample('different')).toEqual([
    'count is string (int8), declared number',
    'count is string (int8), declared number',
    'answers topicID, which is not declared',
    'does not answer topicId',
    'does not answer title',
    'at is Date (timestamptz), declared string',
    'ids is string[] (_int8), declared number[]',
    'body is json (jsonb), declared Date[]',
    'floor may be null, which is not declared',
    'title may be null, which is not declared',
    'floor is number (int4), declared string | null',
  ])
})

test('invalid SQL, and SQL that cannot be read from the source, are found', () => {
  expect(ofSample('refused')).toEqual([
    'relation "topics" does not exist: select from topics',
    "operator does not exist: bigint = text: select 1 where $1::bigint = 'b'::text",
  ])
  expect(ofSample('untold')).toEqual([expect.stringMatching(/^part\.sql/)])
})

function ofServer(about: keyof StatementFaults): string[] {
  return results.flatMap((one) => (one.place.startsWith(sample) ? [] : one[about]))
}

function ofSample(about: keyof StatementFaults): string[] {
  return results.flatMap((one) => (one.place.startsWith(sample) ? one[about].map((text) => text.replace(/^\S+ /, '')) : []))
}
