import { sql } from 'kysely'
import type { LanguageModel } from 'ai'
import type { AssistantJob } from '#assistant/contract.ts'
import type { Protocol, RequestPart } from '#assistant/protocols.ts'
import { countFailure } from '#assistant/server/counts.ts'
import { openClient } from '#assistant/server/protocol/client.ts'
import { answerAsStandIn } from '#assistant/server/stand-in.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { configuredFetch } from '#base/server/outbound/safe-fetch.ts'
import { seal, unseal } from '#base/server/security/sealing.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import * as setting from '#setting/server/setting.ts'

/** A configured model. Prices are in cents per million tokens. */
export type Model = {
  id: string
  name: string
  protocol: Protocol
  address: string
  model: string
  apiKey: Buffer | null
  isStandIn: boolean
  contextTokens: number
  inputPrice: number
  cachedPrice: number
  outputPrice: number
  /** The parts of requests that it refuses. */
  refusedParts: readonly RequestPart[]
}

const columns = sql`id::text, name, protocol, address, model, api_key as "apiKey", is_stand_in as "isStandIn", context_tokens as "contextTokens",
  input_price as "inputPrice", cached_price as "cachedPrice", output_price as "outputPrice", refused_parts as "refusedParts"`

/** The key was encrypted with another key of the forum. */
export class KeyUnreadable extends Error {
  override name = 'KeyUnreadable'
}

/** The condition of enabled models. A stand-in only answers on the machine itself. */
export function isOn() {
  return sql`(is_enabled and not (is_stand_in and ${isReachedFromNetwork()}))`
}

/**
 * The models of a job, in order. After repeated failures a model rests for a while, unless all do. Without a budget of the site, only free
 * models.
 */
export async function modelsFor(db: Db, job: AssistantJob): Promise<Model[]> {
  const { assistantCentsPerMonth } = await setting.all(db)
  const { rows } = await sql<Model & { rests: boolean }>`
    select ${columns}, coalesce(rests_until > clock_timestamp(), false) as rests from assistant_model
    where ${isOn()} and ${job} = any(jobs) and (${assistantCentsPerMonth > 0} or (input_price = 0 and output_price = 0))
    order by rests, sort, assistant_model.id`.execute(db)
  const awake = rows.filter(({ rests }) => !rests)
  return awake.length > 0 ? awake : rows
}

export async function modelById(db: Db, id: string): Promise<Model | null> {
  const { rows } = await sql<Model>`select ${columns} from assistant_model where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The jobs with a model. */
export async function jobsOn(db: Db): Promise<{ jobs: AssistantJob[]; isStandIn: boolean }> {
  const { rows } = await sql<{ job: AssistantJob; isStandIn: boolean }>`
    select distinct unnest(jobs) as job, is_stand_in as "isStandIn" from assistant_model where ${isOn()}`.execute(db)
  return { jobs: [...new Set(rows.map(({ job }) => job))], isStandIn: rows.some(({ isStandIn }) => isStandIn) }
}

/** The client of a model: restricted to its address, with its key. */
export function clientOf({ protocol, address, model, apiKey, isStandIn, refusedParts }: Model): Promise<LanguageModel> {
  return openClient(protocol, model, {
    address,
    apiKey: apiKey === null ? '' : decryptedKey(protocol, address, apiKey),
    fetch: isStandIn ? answerAsStandIn : configuredFetch(new URL(address)),
    refusedParts,
  })
}

function decryptedKey(protocol: Protocol, address: string, key: Buffer): string {
  try {
    return unseal(sealContext(protocol, address), key).toString()
  } catch (error) {
    throw new KeyUnreadable('The key of a model cannot be opened', { cause: error })
  }
}

/** The key is encrypted together with its address, and sent nowhere else. */
export function encryptedKey(protocol: Protocol, address: string, key: string): Buffer {
  return seal(sealContext(protocol, address), key)
}

function sealContext(protocol: Protocol, address: string) {
  return { purpose: 'assistant model', row: JSON.stringify([protocol, address]) }
}

export const failuresBeforeRest = 3
const restMinutes = 2

/** Records a failure of a model; after three in a row it rests, and for as long as the provider's Retry-After. */
export async function noteFailure({ app }: Database, { id }: Model, says: string, restSeconds: number | null = null): Promise<void> {
  countFailure()
  await sql`
    update assistant_model set failed_at = clock_timestamp(), failure = ${says.slice(0, 300)}, failures = failures + 1,
      rests_until = greatest(
        case when failures + 1 >= ${failuresBeforeRest} then clock_timestamp() + make_interval(mins => ${restMinutes}) end,
        clock_timestamp() + make_interval(secs => ${restSeconds}::int))
    where id = ${id}`.execute(app)
}

/** Records that a model answered. */
export async function noteAnswered(db: Db, { id }: Pick<Model, 'id'>): Promise<void> {
  await sql`update assistant_model set failures = 0, rests_until = null where id = ${id} and failures > 0`.execute(db)
}

/** Remembers the parts of requests that a model refuses, beside those known before. */
export async function rememberRefusedParts(db: Db, { id, refusedParts }: Pick<Model, 'id' | 'refusedParts'>): Promise<void> {
  await sql`
    update assistant_model set refused_parts = array(select distinct unnest(refused_parts || ${refusedParts}::text[]) as part order by part)
    where id = ${id}`.execute(db)
}
