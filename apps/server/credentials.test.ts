import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { collect } from '#base/server/feature.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase } from '#base/testing/database.ts'

const { database, close } = await freshDatabase()
afterFile(close)

const declared = collect(features, 'credentials').flatMap((its) => its.tables.map((table) => ({ table, its })))

/** Tables with secrets that do not authenticate a member. */
const others: readonly { why: string; tables: readonly string[] }[] = [
  {
    why: 'Of staff in the administration, whose sessions end there, and whose codes end with their second factor.',
    tables: ['staff', 'staff_session', 'staff_recovery_code'],
  },
  { why: 'The site’s own, by which it speaks to other services.', tables: ['assistant_model', 'identity_provider', 'secret', 'setting'] },
  { why: 'Invites somebody who has no account yet.', tables: ['invitation'] },
  { why: 'Of a person, whom it lets do nothing.', tables: ['day_searcher', 'real_name'] },
  { why: 'A message on its way, and where it cannot go.', tables: ['delivery', 'undeliverable_address'] },
  {
    why: 'The digest of content, of an entry or of a request, which opens nothing.',
    tables: ['audit_log', 'audit_log_head', 'file', 'generated_text', 'idempotency_key', 'post_fingerprint', 'rules', 'ledger.transaction'],
  },
  { why: 'A seal over content, by which its change is noticed.', tables: ['ledger.seal', 'red_envelope', 'red_envelope_share'] },
  { why: 'Evidence that a payment provider sent.', tables: ['payment_event'] },
  { why: 'A password that an author puts before a part of a post.', tables: ['hidden.part', 'hidden.waiting'] },
  { why: 'Counts words of searches.', tables: ['search_share'] },
]

type Table = { name: string }

/** Every table with bytes, or with a column whose name is that of a secret or of its hash. */
async function tablesWithSecrets(): Promise<string[]> {
  const { rows } = await sql<Table>`
    select distinct case nspname when 'public' then '' else nspname || '.' end || relname as name
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where attnum > 0 and not attisdropped and relkind in ('r', 'p')
      and nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'pgboss')
      and (atttypid = 'bytea'::regtype or attname ~ '(^|_)(hash|token|secret|ticket|password|nonce|verifier)$'
        or relname ~ '(token|ticket|session|proof|credential|key)$')
    order by name`.execute(database.app)
  return rows.map(({ name }) => name)
}

describe('every table of secrets', () => {
  test('is declared by its feature as a credential of members, or named here with the reason why it is none', async () => {
    const known = [...declared.map(({ table }) => table), ...others.flatMap(({ tables }) => tables)]
    const found = await tablesWithSecrets()
    expect(found.filter((name) => !known.includes(name))).toEqual([])
    expect(others.flatMap(({ tables }) => tables).filter((name) => !found.includes(name))).toEqual([])
    expect(known.filter((name, index) => known.indexOf(name) !== index)).toEqual([])
  })

  test('that is declared exists, and is declared by one feature', async () => {
    const { rows } = await sql<Table>`select relname as name from pg_class where relkind = 'r'`.execute(database.app)
    const names = rows.map(({ name }) => name)
    expect(declared.filter(({ table }) => !names.includes(table)).map(({ table }) => table)).toEqual([])
  })

  test('that stays when all else ends says why, in a sentence', () => {
    const reasons = declared.flatMap(({ its }) => ('stays' in its ? [its.stays] : []))
    expect(reasons.filter((reason) => !/^\p{Lu}.{8,}\.$/u.test(reason))).toEqual([])
  })
})

test('a credential that staff see beside the sessions ends at every event', () => {
  const listed = collect(features, 'credentials').filter((its) => 'end' in its && its.list)
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.filter((its) => 'end' in its && its.endsWhen)).toEqual([])
})
