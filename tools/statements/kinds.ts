import pg from 'pg'

/** The kind of JavaScript value from the driver. JSON may be anything but a date. */
export type Kind = { is: 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'object' } | { is: 'list'; of: Kind }

export type Types = { kindOf(type: number): Kind; nameOf(type: number): string; isRequired(table: number, place: number): boolean | null }

type TypeRow = { oid: number; name: string; category: string; of: number }

const samples: Record<string, string> = {
  bool: 't',
  bytea: '\\x00',
  json: '{}',
  jsonb: '{}',
  date: '2026-01-01',
  timestamp: '2026-01-01 00:00:00',
  timestamptz: '2026-01-01 00:00:00+00',
  interval: '01:00:00',
  point: '(1,1)',
}

/** The types of a database as its driver parses them, and its not-null columns. */
export async function typesIn(client: pg.Client): Promise<Types> {
  const { rows } = await client.query<TypeRow>('select oid::int, typname as name, typcategory as category, typelem::int as of from pg_type')
  const all = new Map(rows.map((row) => [row.oid, row]))
  const columns = await client.query<{ key: string; required: boolean }>(
    `select attrelid || ' ' || attnum as key, attnotnull as required from pg_attribute join pg_class on pg_class.oid = attrelid
      where attnum > 0 and not attisdropped and relkind in ('r', 'p')`,
  )
  const required = new Map(columns.rows.map(({ key, required }) => [key, required]))

  function kindOf(type: number): Kind {
    const row = all.get(type)
    if (!row) throw new Error(`The database knows no type ${type}`)
    if (row.name === 'json' || row.name === 'jsonb') return { is: 'json' }
    const parse = pg.types.getTypeParser(type, 'text') as (text: string) => unknown
    const parsed = parse(sampleOf(row))
    return Array.isArray(parsed) ? { is: 'list', of: kindOf(row.of) } : kindOfValue(parsed)
  }

  function sampleOf({ name, category, of }: TypeRow): string {
    if (category === 'A') return `{${JSON.stringify(sampleOf(all.get(of) ?? { oid: 0, name: '', category: '', of: 0 }))}}`
    return samples[name] ?? '1'
  }

  return { kindOf, nameOf: (type) => all.get(type)?.name ?? '', isRequired: (table, place) => required.get(`${table} ${place}`) ?? null }
}

function kindOfValue(value: unknown): Kind {
  if (value instanceof Date) return { is: 'Date' }
  if (Buffer.isBuffer(value)) return { is: 'Buffer' }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { is: typeof value as 'string' }
  return { is: 'object' }
}

export function wordsOf(kind: Kind): string {
  return kind.is === 'list' ? `${wordsOf(kind.of)}[]` : kind.is
}
