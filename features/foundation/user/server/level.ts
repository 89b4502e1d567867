import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'

type Level = { rank: number; name: { zh: string; en: string }; points: number; nextAt: number | null }

const allLevels = cachedValue('everything', (db) =>
  db.selectFrom('level').select(['name_zh', 'name_en', 'needs_points']).orderBy('needs_points').execute(),
)

/**
 * The highest level whose threshold is reached by the points that a member was given and that were not taken back, whatever they spent; and
 * where the next level begins.
 */
export async function levelAt(db: Db, points: number): Promise<Level> {
  const known = await allLevels.of(db)
  const reached = known.filter((level) => Number(level.needs_points) <= points)
  const own = reached.at(-1)
  const next = known[reached.length]
  return {
    rank: reached.length,
    name: own ? { zh: own.name_zh, en: own.name_en } : { zh: '', en: '' },
    points,
    nextAt: next ? Number(next.needs_points) : null,
  }
}

/** The levels from the lowest, and how many points each needs. */
export async function levels(db: Db): Promise<{ needs: string; name: { zh: string; en: string } }[]> {
  const known = await allLevels.of(db)
  return known.map(({ name_zh: zh, name_en: en, needs_points: needs }) => ({ needs, name: { zh, en } }))
}
