import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Mapping } from '#importer/server/mapping.ts'
import type { Reader } from '#importer/server/source.ts'
import { cleanName } from '#importer/server/write/names.ts'

/** What the choices name that is not there: credits of the source and members here, and names that no member can have. */
export async function mappingFaults(
  db: Db,
  reader: Pick<Reader, 'credits' | 'money'>,
  { points, money, members }: Mapping,
): Promise<string[]> {
  const credits = new Set([...reader.credits.map(({ id }) => id), reader.money?.credit])
  const named = [...(points === null ? [] : [['points', points] as const]), ...(money ? [['money', money.credit] as const] : [])]
  const unknown = named.filter(([, id]) => !credits.has(id))
  const choices = Object.entries(members)
  const joined = choices.flatMap(([id, choice]) => (choice.do === 'join' ? [[id, choice.memberId] as const] : []))
  const there = await db
    .selectFrom('member')
    .select('id')
    .where('id', '=', anyOf(joined.map(([, memberId]) => memberId)))
    .where('merged_into', 'is', null)
    .execute()
  const ids = new Set(there.map(({ id }) => id))
  return [
    ...unknown.map(([place, id]) => `${place}: there is no credit ${id}`),
    ...joined.flatMap(([id, memberId]) => (ids.has(memberId) ? [] : [`members: ${id}: there is no member ${memberId} here`])),
    ...choices.flatMap(([id, choice]) =>
      choice.do === 'rename' && cleanName(choice.name) !== choice.name
        ? [`members: ${id}: no member can have the name ${choice.name}`]
        : [],
    ),
  ]
}
