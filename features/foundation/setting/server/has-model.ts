import { sql } from 'kysely'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'

/** True if a chat model is available. A stand-in only answers on the machine itself. */
export async function hasModelOn(db: Db): Promise<boolean> {
  return isOnNow(await modelsOn(db))
}

/** The same, cached until staff change the models: every page of a member needs it. */
export async function hasModelCached(db: Db): Promise<boolean> {
  return isOnNow(await cached.of(db))
}

type ModelAvailability = { hasModel: boolean; hasStandIn: boolean }

const cached = cachedValue('setting', modelsOn)

async function modelsOn(db: Db): Promise<ModelAvailability> {
  const { rows } = await sql<{ isStandIn: boolean }>`
    select distinct is_stand_in as "isStandIn" from assistant_model where is_enabled and 'chat' = any(jobs)`.execute(db)
  return { hasModel: rows.some(({ isStandIn }) => !isStandIn), hasStandIn: rows.some(({ isStandIn }) => isStandIn) }
}

function isOnNow({ hasModel, hasStandIn }: ModelAvailability): boolean {
  return hasModel || (hasStandIn && !isReachedFromNetwork())
}
