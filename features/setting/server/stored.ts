import { anyOf, type Db } from '#base/server/database.ts'
import { settings, type SettingName, type Settings } from '#setting/contract.ts'

/** All settings as they are stored now, whatever is known of them. */
export async function stored(db: Db): Promise<Settings> {
  return current(db, ...(Object.keys(settings) as SettingName[]))
}

/** These alone: for money, which goes by no switch that was thrown at another server a moment ago. */
export async function current<Name extends SettingName>(db: Db, ...names: readonly Name[]): Promise<Pick<Settings, Name>> {
  const kept = await rowsOf(db, names)
  const entries = names.map((name) => {
    const { takes, standard } = settings[name]
    const parsed = takes.safeParse(kept.get(name))
    return [name, parsed.success ? parsed.data : standard]
  })
  return Object.fromEntries(entries) as Pick<Settings, Name>
}

/** Settings with a stored value that this program does not take: their defaults are in use. */
export async function unreadable(db: Db): Promise<SettingName[]> {
  const names = Object.keys(settings) as SettingName[]
  const kept = await rowsOf(db, names)
  return names.filter((name) => kept.has(name) && !settings[name].takes.safeParse(kept.get(name)).success)
}

async function rowsOf(db: Db, names: readonly SettingName[]): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', '=', anyOf(names)).execute()
  return new Map(rows.map((row) => [row.name, row.value]))
}
