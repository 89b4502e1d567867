import { z } from 'zod'
import { ChangedSince } from '#audit/contract.ts'
import { assistantJobs, StandInForOthers, StandInIsFixed } from '#assistant/contract.ts'
import { protocols, requestParts } from '#assistant/protocols.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'

const when = z.iso.datetime()

const ModelRow = z.object({
  id: z.string(),
  name: z.string(),
  protocol: z.enum(protocols),
  address: z.string(),
  model: z.string(),
  hasKey: z.boolean(),
  jobs: z.array(z.enum(assistantJobs)),
  isEnabled: z.boolean(),
  isStandIn: z.boolean(),
  sort: z.number(),
  version: z.number(),
  contextTokens: z.number(),
  inputPrice: z.number(),
  cachedPrice: z.number(),
  outputPrice: z.number(),
  refusedParts: z.array(z.enum(requestParts)),
  /** The last failure since it was changed. */
  failure: z.object({ at: when, says: z.string(), times: z.number() }).nullable(),
  /** It failed repeatedly, and rests until then. */
  restsUntil: when.nullable(),
})
export type ModelRow = z.infer<typeof ModelRow>

export const modelList = read('/admin/assistant/model/list', {
  summary: 'Models of the assistant in their order of use. Keys are never returned.',
  input: nothing,
  output: z.object({
    models: z.array(ModelRow),
    /** The assistant is enabled in the settings. */
    isOn: z.boolean(),
    /** No other machine can reach the site, so a stand-in may answer. */
    canStandIn: z.boolean(),
  }),
})

/** Addresses without TLS must be in the operator's own network. */
const ownMachine =
  /^(localhost|[^.:]+|.+\.(local|internal|lan|localhost)|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[(::1|f[cd][0-9a-f]{2}:.*)\])$/

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  const isSecret = protocol === 'https:' || (protocol === 'http:' && ownMachine.test(hostname))
  return isSecret && search === '' && hash === '' && username === '' && password === ''
}

/** Providers document the full endpoint as often as the base URL. */
function base(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/(chat\/completions|messages)$/, '')
}

const price = z.int().min(0).max(10_000_000).default(0)
const model = {
  name: plainString.min(1).max(60),
  protocol: z.enum(protocols),
  address: z
    .string()
    .trim()
    .min(1)
    .max(250)
    .overwrite(base)
    .refine(isSafe, { params: { code: 'assistant.notAnAddress' } }),
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[!-~]+$/),
  /** Empty: keeps the present key, as long as protocol and address stay. */
  apiKey: z
    .string()
    .trim()
    .max(500)
    .regex(/^[!-~]*$/)
    .default(''),
  jobs: z.array(z.enum(assistantJobs)).max(assistantJobs.length).default([]),
  isEnabled: z.boolean().default(false),
  contextTokens: z.int().min(2_000).max(4_000_000).default(32_000),
  inputPrice: price,
  cachedPrice: price,
  outputPrice: price,
  /** Requests are sent without these parts. Further ones are added where the model refuses them. */
  refusedParts: z.array(z.enum(requestParts)).max(requestParts.length).default([]),
  sort: z.int().min(-10_000).max(10_000).default(0),
}

export const addModel = write('/admin/assistant/model/add', {
  summary: 'Adds a model for the assistant. Prices are in cents per million tokens.',
  input: z.object(model),
  output: z.object({ modelId: z.string() }),
})

export const editModel = write('/admin/assistant/model/edit', {
  summary: 'Changes a model. An empty key keeps the stored one, unless the protocol or the address changes.',
  input: z.object({ modelId: id, version: z.int().min(1), ...model, /** Deletes the key. */ removesKey: z.boolean().default(false) }),
  output: nothing,
  errors: [ChangedSince, StandInIsFixed],
})

export const switchModel = write('/admin/assistant/model/switch', {
  summary: 'Enables or disables a model.',
  input: z.object({ modelId: id, isEnabled: z.boolean() }),
  output: nothing,
  errors: [StandInForOthers],
})

export const removeModel = write('/admin/assistant/model/remove', {
  summary: 'Removes a model with its key. Its usage stays in the statistics.',
  input: z.object({ modelId: id }),
  output: nothing,
})

export const useStandIn = write('/admin/assistant/standIn', {
  summary: 'Adds the built-in test model, which answers by rules and without a provider.',
  input: nothing,
  output: nothing,
  errors: [StandInForOthers],
})

/** Why a test of a model failed. */
export const testProblems = [
  'wrongKey',
  'noSuchModel',
  'tooMany',
  'noCredit',
  'noAnswer',
  'tooSlow',
  'notAnAnswer',
  'contentRefused',
  'refused',
  'failed',
  'unclearEnd',
  'keyUnreadable',
  'standInForOthers',
] as const

export const testModel = write('/admin/assistant/model/test', {
  summary: 'Tests a model with a short request of the form of a chat, and returns the response time or the failure.',
  input: z.object({ modelId: id }),
  output: z.object({
    problem: z.enum(testProblems).nullable(),
    /** The HTTP status of the provider, if any. */
    status: z.number().nullable(),
    /** The model, by the provider's name. */
    model: z.string().nullable(),
    answer: z.string(),
    firstWordMs: z.number().nullable(),
    totalMs: z.number(),
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    /** The parts of the request without which it answered. */
    refusedParts: z.array(z.enum(requestParts)),
  }),
})
