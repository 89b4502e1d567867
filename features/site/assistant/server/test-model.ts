import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError, RetryError, streamText } from 'ai'
import { isNotBegun } from '#assistant/server/failure.ts'
import { clientOf, KeyUnreadable, modelById, noteAnswered, type Model } from '#assistant/server/models.ts'
import { Tally } from '#assistant/server/tally.ts'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'
import type { testModel, testProblems } from '#assistant/staff-contract.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'

type Problem = (typeof testProblems)[number]
type Tested = Output<typeof testModel>
/** The result of a test, and its usage. */
export type Test = { tested: Tested; usage: Tokens }

const question = 'Say hello in one short sentence.'

const timeoutMs = 25_000
// Reasoning models need some before their first text.
const maxOutputTokens = 400
const maxAnswerLength = 300

/** Asks a model for a sentence, outside of a transaction. */
export async function prepareTest({
  db,
  input,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof testModel>, Staff>): Promise<Test> {
  const model = await modelById(db, input.modelId)
  if (!model) throw Missing()
  const began = performance.now()
  const tested: Tested = {
    problem: null,
    status: null,
    model: null,
    answer: '',
    firstWordMs: null,
    totalMs: 0,
    inputTokens: null,
    outputTokens: null,
  }
  const tally = new Tally()
  const since = () => Math.round(performance.now() - began)
  try {
    if (model.isStandIn && isReachedFromNetwork()) return { tested: { ...tested, problem: 'standInForOthers' }, usage: tally.tokens }
    await askModel(model, tested, tally, since)
    if (tested.problem === null) await inSeparateTransaction((tx) => noteAnswered(tx, model.id))
  } catch (error) {
    if (isNotBegun(RetryError.isInstance(error) ? error.lastError : error)) tally.refused()
    const { problem, status } = problemOf(error)
    tested.problem = problem
    tested.status = status
  }
  tested.totalMs = since()
  return { tested, usage: tally.tokens }
}

async function askModel(model: Model, tested: Tested, tally: Tally, since: () => number): Promise<void> {
  const client = await clientOf(model)
  tally.begins(tokensIn(question))
  const { fullStream, response } = streamText({
    model: client,
    prompt: question,
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(timeoutMs),
    // The error is a part of the stream, too.
    onError: () => undefined,
  })
  // It fails together with the stream, which reports it first.
  const responseOrNull = Promise.resolve(response).catch(() => null)
  let thought = false
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('It took too long', 'TimeoutError')
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') tested.firstWordMs ??= since()
    if (part.type === 'reasoning-delta') thought = true
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') tally.says(part.text)
    if (part.type === 'finish-step') tally.ends(part.usage)
    if (part.type === 'text-delta') tested.answer = (tested.answer + part.text).slice(0, maxAnswerLength)
    if (part.type === 'finish') {
      tested.inputTokens = part.totalUsage.inputTokens ?? null
      tested.outputTokens = part.totalUsage.outputTokens ?? null
      if (part.finishReason === 'content-filter') tested.problem = 'contentRefused'
    }
  }
  tested.model = (await responseOrNull)?.modelId.slice(0, 200) ?? null
  if (tested.problem === null && tested.answer === '' && !thought) tested.problem = 'notAnAnswer'
}

const saysNoModel = /model[^"]{0,80}(not[ _]?(found|exist|support)|does not|invalid|unknown)|(unknown|invalid|no such)[ _]model/i

/** The cause of a failed test. The provider's message is inspected but never shown: it may contain the key. */
function problemOf(error: unknown): { problem: Problem; status: number | null } {
  const its = RetryError.isInstance(error) ? error.lastError : error
  if (APICallError.isInstance(its)) {
    const { statusCode: status, responseBody = '' } = its
    if (status === undefined) return { problem: isTimeout(its.cause) ? 'tooSlow' : 'noAnswer', status: null }
    return { problem: problemOfStatus(status, responseBody), status }
  }
  if (isTimeout(its)) return { problem: 'tooSlow', status: null }
  const isRubbish = [JSONParseError, TypeValidationError, InvalidResponseDataError].some((kind) => kind.isInstance(its))
  if (isRubbish || (its instanceof Error && its.name.startsWith('AI_'))) return { problem: 'notAnAnswer', status: null }
  if (its instanceof KeyUnreadable) return { problem: 'keyUnreadable', status: null }
  // A bug, not a failure of the provider.
  if (its instanceof TypeError) throw its
  return { problem: 'noAnswer', status: null }
}

function problemOfStatus(status: number, body: string): Problem {
  if (status === 401 || status === 403) return 'wrongKey'
  if (status === 402) return 'noCredit'
  if (status === 429) return 'tooMany'
  if (status === 404 || ((status === 400 || status === 422) && saysNoModel.test(body))) return 'noSuchModel'
  if (status < 300) return 'notAnAnswer'
  return status >= 500 ? 'failed' : 'refused'
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
}
