import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { settings, type SettingName, type Settings } from '#setting/staff-contract.ts'

/** All settings as stored now, bypassing the cache. */
export async function stored(db: Db): Promise<Settings> {
  return current(db, ...(Object.keys(settings) as SettingName[]))
}

/** These settings, bypassing the cache: for money, which must not use a value changed at another server a moment ago. */
export async function current<Name extends SettingName>(db: Db, ...names: readonly Name[]): Promise<Pick<Settings, Name>> {
  return settingsIn(await rowsOf(db, names), names)
}

type Values = Record<string, unknown>

/** The same as an expression of a larger statement, without another round trip, and `read` to parse its value. */
export function currentWithin<Name extends SettingName>(...names: readonly Name[]) {
  const values: RawBuilder<Values> = sql`(select coalesce(json_object_agg(name, value), '{}') from setting where name = ${anyOf(names)})`
  return { values, read: (storedValues: Values): Pick<Settings, Name> => settingsIn(new Map(Object.entries(storedValues)), names) }
}

function settingsIn<Name extends SettingName>(storedValues: ReadonlyMap<string, unknown>, names: readonly Name[]): Pick<Settings, Name> {
  const entries = names.map((name) => {
    const { schema, default: initial } = settings[name]
    const parsed = schema.safeParse(storedValues.get(name))
    return [name, parsed.success ? parsed.data : initial]
  })
  return Object.fromEntries(entries) as Pick<Settings, Name>
}

/** Settings whose stored value is invalid in this version: their defaults apply. */
export async function invalidSettings(db: Db): Promise<SettingName[]> {
  const names = Object.keys(settings) as SettingName[]
  const storedValues = await rowsOf(db, names)
  return names.filter((name) => storedValues.has(name) && !settings[name].schema.safeParse(storedValues.get(name)).success)
}

async function rowsOf(db: Db, names: readonly SettingName[]): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', '=', anyOf(names)).execute()
  return new Map(rows.map((row) => [row.name, row.value]))
}
