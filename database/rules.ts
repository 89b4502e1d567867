import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { folders } from '../features/order.js'

const features = new URL('../features/', import.meta.url)

const ruleTables = `
  create table if not exists rules (is_one boolean primary key default true check (is_one), hash text not null);
  -- Guards as this database words them, which the last start found to mean what the program has.
  create table if not exists guard_wording (guard text not null)`

type RuleFile = { path: string; text: string }

/** The functions, triggers and policies of each feature, in the order of the features. */
export function rules(): RuleFile[] {
  return folders.flatMap((feature) => {
    const folder = new URL(`${feature}/server/`, features)
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sql')) : []
    return names
      .toSorted()
      .map((name) => ({ path: `features/${feature}/server/${name}`, text: readFileSync(new URL(name, folder), 'utf8') }))
  })
}

function hashOf(all: readonly RuleFile[]): string {
  return hash('sha256', JSON.stringify(all))
}

/** The hash stored in a database that has the rules of this program. */
export function rulesHash(): string {
  return hashOf(rules())
}

/** Runs all rules again if the text of one has changed, because they call one another. Returns whether it did. */
export async function applyRules(client: pg.ClientBase): Promise<boolean> {
  const all = rules()
  const current = hashOf(all)
  await client.query(ruleTables)
  const { rows } = await client.query<{ hash: string }>('select hash from rules')
  if (rows[0]?.hash === current) return false
  await client.query('begin')
  // The owner may be another than the one who migrated, and functions are open to everybody by default.
  await client.query('alter default privileges revoke execute on functions from public')
  // A function may be created before one that it calls.
  await client.query('set local check_function_bodies = off')
  for (const { text } of all) await client.query(text)
  await client.query('insert into rules (hash) values ($1) on conflict (is_one) do update set hash = excluded.hash', [current])
  await client.query('commit')
  return true
}
