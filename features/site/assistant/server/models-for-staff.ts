import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { StandInForOthers, StandInIsFixed, type AssistantJob } from '#assistant/contract.ts'
import type { Protocol, RequestPart } from '#assistant/protocols.ts'
import { modelById, encryptedKey } from '#assistant/server/models.ts'
import type { Test } from '#assistant/server/test-model.ts'
import { countTest } from '#assistant/server/usage.ts'
import type { addModel, editModel, modelList, ModelRow, switchModel, testModel } from '#assistant/staff-contract.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { say } from '#base/server/words.ts'
import * as setting from '#setting/server/setting.ts'

type Row = Omit<ModelRow, 'failure' | 'restsUntil'> & {
  failedAt: Date | null
  failure: string | null
  failures: number
  restsUntil: Date | null
}

export async function list(db: Db): Promise<Output<typeof modelList>> {
  const [{ rows }, { allowAssistant }] = await Promise.all([
    sql<Row>`
      select id::text, name, protocol, address, model, has_key as "hasKey", jobs, is_enabled as "isEnabled", is_stand_in as "isStandIn",
        sort, version, context_tokens as "contextTokens", input_price as "inputPrice", cached_price as "cachedPrice",
        output_price as "outputPrice", refused_parts as "refusedParts", failed_at as "failedAt", failure, failures,
        case when rests_until > clock_timestamp() then rests_until end as "restsUntil"
      from assistant_model order by sort, assistant_model.id`.execute(db),
    setting.all(db),
  ])
  return {
    models: rows.map(({ failedAt, failure, failures, restsUntil, ...row }) => ({
      ...row,
      failure: failedAt && { at: failedAt.toISOString(), says: failure ?? '', times: failures },
      restsUntil: restsUntil?.toISOString() ?? null,
    })),
    isOn: allowAssistant,
    canStandIn: !isReachedFromNetwork(),
  }
}

type Draft = ParsedInput<typeof addModel>

export async function add(tx: Db, by: StaffActor, client: ClientInfo, draft: Draft): Promise<{ modelId: string }> {
  const key = draft.apiKey === '' ? null : encryptedKey(draft.protocol, draft.address, draft.apiKey)
  const { id } = await tx
    .insertInto('assistant_model')
    .values({ ...columnsOf(draft), api_key: key })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit.note(tx, by, client, { action: 'assistantModel.add', about: aboutOf(id), after: logFields(draft) })
  markChanged(tx)
  return { modelId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { modelId, version, removesKey, ...draft }: ParsedInput<typeof editModel>,
): Promise<void> {
  const before = await locked(tx, modelId)
  await audit.refuseIfChanged(tx, aboutOf(modelId), before.version, version)
  if (before.is_stand_in) throw StandInIsFixed()
  const isSamePlace = before.address === draft.address && before.protocol === draft.protocol
  const storedKey = isSamePlace && !removesKey ? before.api_key : null
  const key = draft.apiKey === '' ? storedKey : encryptedKey(draft.protocol, draft.address, draft.apiKey)
  const row = { ...columnsOf(draft), api_key: key, version: version + 1, failed_at: null, failure: null, failures: 0, rests_until: null }
  await tx.updateTable('assistant_model').set(row).where('id', '=', modelId).execute()
  const after = { ...logFields(draft), ...(before.api_key !== null && key === null && { apiKey: false }) }
  await audit.note(tx, by, client, { action: 'assistantModel.edit', about: aboutOf(modelId), before: shownOf(before), after })
  markChanged(tx)
}

export async function switchTo(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { modelId, isEnabled }: ParsedInput<typeof switchModel>,
): Promise<void> {
  const before = await locked(tx, modelId)
  if (isEnabled && before.is_stand_in && isReachedFromNetwork()) throw StandInForOthers()
  if (before.is_enabled === isEnabled) return
  await tx
    .updateTable('assistant_model')
    .set({ is_enabled: isEnabled, version: before.version + 1, failures: 0, rests_until: null })
    .where('id', '=', modelId)
    .execute()
  const its = { name: before.name }
  await audit.note(tx, by, client, {
    action: 'assistantModel.edit',
    about: aboutOf(modelId),
    before: { ...its, isEnabled: before.is_enabled },
    after: { ...its, isEnabled },
  })
  markChanged(tx)
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, modelId: string): Promise<void> {
  const before = await locked(tx, modelId)
  await tx.deleteFrom('assistant_model').where('id', '=', modelId).execute()
  await audit.note(tx, by, client, { action: 'assistantModel.remove', about: aboutOf(modelId), before: shownOf(before) })
  markChanged(tx)
}

/** Sorts after every model, so that configured models are asked first. */
const standInSort = 10_000
const standInTokens = 32_000

export async function standIn(tx: Db, by: StaffActor, client: ClientInfo): Promise<void> {
  if (isReachedFromNetwork()) throw StandInForOthers()
  const there = await tx.selectFrom('assistant_model').select('id').where('is_stand_in', '=', true).executeTakeFirst()
  if (there) return switchTo(tx, by, client, { modelId: there.id, isEnabled: true })
  const name = say(client.language, 'assistant.standInName')
  const id = await addStandIn(tx, name)
  await audit.note(tx, by, client, { action: 'assistantModel.add', about: aboutOf(id), after: { name, isStandIn: true, isEnabled: true } })
  markChanged(tx)
}

/** The built-in stand-in, for all jobs. */
export async function addStandIn(tx: Db, name: string): Promise<string> {
  const row = { protocol: 'openai' as const, address: 'http://localhost', model: 'stand-in', is_stand_in: true, is_enabled: true }
  const { id } = await tx
    .insertInto('assistant_model')
    .values({ ...row, name, jobs: ['chat', 'summary', 'writing', 'translation'], sort: standInSort, context_tokens: standInTokens })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

// Every page shows whether there is an assistant.
function markChanged(tx: Db): void {
  invalidate(tx, 'setting', 'everything')
}

async function locked(tx: Db, modelId: string) {
  const row = await tx.selectFrom('assistant_model').selectAll().where('id', '=', modelId).forUpdate().executeTakeFirst()
  if (!row) throw Missing()
  return row
}

function aboutOf(modelId: string): string {
  return `assistantModel ${modelId}`
}

function columnsOf(draft: Omit<Draft, 'apiKey'>) {
  return {
    name: draft.name,
    protocol: draft.protocol,
    address: draft.address,
    model: draft.model,
    jobs: [...new Set(draft.jobs)],
    is_enabled: draft.isEnabled,
    context_tokens: draft.contextTokens,
    input_price: draft.inputPrice,
    cached_price: draft.cachedPrice,
    output_price: draft.outputPrice,
    refused_parts: [...new Set(draft.refusedParts)],
    sort: draft.sort,
  }
}

type ModelColumns = ReturnType<typeof columnsOf>

type StoredColumns = Omit<ModelColumns, 'protocol' | 'jobs' | 'refused_parts'> & {
  protocol: string
  jobs: string[]
  refused_parts: string[]
}

function shownOf(row: StoredColumns) {
  return {
    name: row.name,
    protocol: row.protocol as Protocol,
    address: row.address,
    model: row.model,
    jobs: row.jobs as AssistantJob[],
    isEnabled: row.is_enabled,
    contextTokens: row.context_tokens,
    inputPrice: row.input_price,
    cachedPrice: row.cached_price,
    outputPrice: row.output_price,
    refusedParts: row.refused_parts as RequestPart[],
    sort: row.sort,
  }
}

// Of a key, the log only records that one was entered.
function logFields({ apiKey, ...draft }: Draft) {
  return { ...draft, ...(apiKey !== '' && { apiKey: true }) }
}

/** Records the result of a test in the audit log, and its usage. */
export async function recordTest(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { modelId }: ParsedInput<typeof testModel>,
  { tested, usage }: Test,
): Promise<Output<typeof testModel>> {
  const after = { problem: tested.problem, ...(tested.status !== null && { status: tested.status }) }
  const model = await modelById(tx, modelId)
  if (model) await countTest(tx, by.id, model, usage)
  await audit.note(tx, by.staff, client, { action: 'assistantModel.test', about: `assistantModel ${modelId}`, after })
  return tested
}
