import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { inOnePacket, PreparedStatements } from '#base/server/database/prepared-statements.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { runs } from '#base/testing/extent.ts'

const { ownerUrl, close } = await freshDatabase()
const max = 5
const open = new Set<pg.Client>()
afterAll(async () => {
  await Promise.all([...open].map((client) => client.end()))
  await close()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, pipeline: true })
  await client.connect()
  open.add(client)
  return client
}

type Prepared = { name: string; statement: string; uses: number }

async function preparedBy(client: pg.Client): Promise<Prepared[]> {
  const { rows } = await client.query<Prepared>(
    'select name, statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements order by prepare_time',
  )
  return rows
}

const textOf = (n: number) => `select 1000 / $1::int + ${n} as "number ${n}"`

/** One statement: adds, fails while it runs, fails before it is prepared, or has a value that cannot be sent. */
const use = fc.record({
  n: fc.nat(3 * max),
  by: fc.integer({ min: 0, max: 4 }),
  how: fc.constantFrom('sum', 'sum', 'sum', 'missing', 'unsendable'),
})
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(use, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('begin', 'rollback', 'commit') },
)

type Use = { n: number; by: number; how: string }

function sent(statements: PreparedStatements, { n, by, how }: Use): Promise<string> {
  const asking =
    how === 'missing'
      ? statements.query(`select $1::int from missing_${n}`, [by])
      : statements.query(textOf(n), [how === 'unsendable' ? unsendable : by])
  return asking.then(
    ({ rows }) => String(Object.values(rows[0] as object)[0]),
    (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)),
  )
}

const unsendable = {
  toPostgres() {
    throw new Error('No')
  },
}

/** The expected answer, and whether it fails the transaction. */
function expected({ n, by, how }: Use, hasFailed: boolean): { answer: string; fails: boolean } {
  if (how === 'unsendable') return { answer: 'Error: No', fails: false }
  if (hasFailed) return { answer: '25P02', fails: false }
  if (how === 'missing') return { answer: '42P01', fails: true }
  return by === 0 ? { answer: '22012', fails: true } : { answer: String(Math.trunc(1000 / by) + n), fails: false }
}

test('after any uses, failures and rollbacks each statement answers as if unnamed, and no more are prepared than the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
      const client = await connect()
      const statements = new PreparedStatements(client, max)
      let [hasBegun, hasFailed] = [false, false]
      for (const one of steps) {
        const [uses, awaited]: [Use[], string[]] = [typeof one === 'string' ? [] : one, []]
        for (const its of uses) {
          const { answer, fails } = expected(its, hasFailed)
          hasFailed ||= fails && hasBegun
          awaited.push(answer)
        }
        expect(await Promise.all(inOnePacket(client, () => uses.map((its) => sent(statements, its))))).toEqual(awaited)
        if (typeof one === 'string' && !(one === 'begin' && hasBegun)) {
          await client.query(one)
          ;[hasBegun, hasFailed] = [one === 'begin', false]
        }
        expect(hasFailed ? 0 : (await preparedBy(client)).length).toBeLessThanOrEqual(max)
      }
      open.delete(client)
      await client.end()
    }),
    { numRuns: runs(60) },
  )
})

test('the statements used most stay prepared, however many others come and go', async () => {
  const client = await connect()
  const statements = new PreparedStatements(client, max)
  const rounds = 100
  for (let round = 1; round <= rounds; round++) {
    for (const n of [1, 2, 3]) await statements.query(textOf(n), [1])
    await statements.query(textOf(1000 + round), [1])
  }
  const prepared = await preparedBy(client)
  expect(prepared.slice(0, 3).map(({ statement, uses }) => [statement, uses])).toEqual([1, 2, 3].map((n) => [textOf(n), rounds]))
  expect(prepared.length).toBe(max)
})

test('a statement has one name on every connection', async () => {
  const clients = [await connect(), await connect()]
  const names = await Promise.all(
    clients.map(async (client, n) => {
      const statements = new PreparedStatements(client)
      // So that it is not the first on both.
      if (n === 1) await statements.query(textOf(1), [1])
      await statements.query(textOf(2), [1])
      return (await preparedBy(client)).find(({ statement }) => statement === textOf(2))?.name
    }),
  )
  expect(names[0]).toMatch(/^[\w-]{43}$/)
  expect(names[1]).toBe(names[0])
})

test('a statement without parameters, or of a length that has no end of variants, is not kept', async () => {
  const client = await connect()
  const statements = new PreparedStatements(client)
  await statements.query('select 1', [])
  await statements.query(`select $1::int as "${'a'.repeat(12_000)}"`, [1])
  expect(await preparedBy(client)).toEqual([])
})

test.each([
  ['whose table has changed since', 'alter table changing add column more int', '0A000'],
  ['that somebody else dropped', 'deallocate all', '26000'],
])('a statement %s is refused once at most', async (_, change, code) => {
  const client = await connect()
  const statements = new PreparedStatements(client)
  await client.query('create table if not exists changing (id int)')
  const ask = () =>
    statements.query('select * from changing where id = $1', [1]).then(
      ({ rows }) => rows,
      (error: unknown) => error,
    )
  expect(await ask()).toEqual([])
  await client.query(change)
  expect(await ask()).toMatchObject({ code })
  expect(await ask()).toEqual([])
})
