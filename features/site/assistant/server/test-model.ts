import { APICallError, RetryError, stepCountIs, streamText, type TextStreamPart, type ToolSet } from 'ai'
import { outputLimitOf } from '#assistant/server/answer-events.ts'
import { isNotBegun } from '#assistant/server/failure.ts'
import { clientOf, KeyUnreadable, modelById, noteAnswered, rememberRefusedParts, type Model } from '#assistant/server/models.ts'
import { ModelFault } from '#assistant/server/protocol/event.ts'
import { partsRefusedIn } from '#assistant/server/refused-part.ts'
import { Tally } from '#assistant/server/tally.ts'
import { ThoughtFilter } from '#assistant/server/thoughts.ts'
import { toolForms } from '#assistant/server/tools.ts'
import { tokensIn, type Tokens } from '#assistant/server/usage.ts'
import type { testModel, testProblems } from '#assistant/staff-contract.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { PrepareContext, Staff } from '#base/server/http/route.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'

type Problem = (typeof testProblems)[number]
type Tested = Output<typeof testModel>
/** The result of a test, and its usage. */
export type Test = { tested: Tested; usage: Tokens }

const instructions = 'Answer briefly.'
const question = 'Say hello in one short sentence.'

const timeoutMs = 25_000
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
    refusedParts: [],
  }
  const tally = new Tally()
  const since = () => Math.round(performance.now() - began)
  try {
    if (model.isStandIn && isReachedFromNetwork()) return { tested: { ...tested, problem: 'standInForOthers' }, usage: tally.tokens }
    const asked = await askWithoutRefusedParts(model, tested, tally, since)
    tested.refusedParts = [...asked.refusedParts]
    if (tested.problem === null) await inSeparateTransaction((tx) => noteAnswered(tx, model))
    if (tested.answer !== '' && asked !== model) await inSeparateTransaction((tx) => rememberRefusedParts(tx, asked))
  } catch (error) {
    const { problem, status } = problemOf(error)
    tested.problem = problem
    tested.status = status
  }
  tested.totalMs = since()
  return { tested, usage: tally.tokens }
}

type Ask = [tested: Tested, tally: Tally, since: () => number]

/** Asks as a chat does, and again without each part of the request that the model refuses. Returns the model as it was asked at last. */
async function askWithoutRefusedParts(model: Model, ...ask: Ask): Promise<Model> {
  const [, tally] = ask
  for (let asked = model; ;) {
    try {
      await askModel(asked, ...ask)
      return asked
    } catch (error) {
      const its = RetryError.isInstance(error) ? error.lastError : error
      if (isNotBegun(its)) tally.refused()
      const refused = partsRefusedIn(its, asked)
      if (refused.length === 0) throw error
      asked = { ...asked, refusedParts: [...asked.refusedParts, ...refused] }
    }
  }
}

async function askModel(model: Model, ...[tested, tally, since]: Ask): Promise<void> {
  const client = await clientOf(model)
  const { fullStream, response } = streamText({
    model: client,
    instructions,
    prompt: question,
    tools: model.refusedParts.includes('tools') ? {} : emptyTools,
    stopWhen: stepCountIs(2),
    prepareStep({ messages }) {
      tally.begins(tokensIn(instructions + JSON.stringify(messages)))
      return {}
    },
    maxOutputTokens: outputLimitOf(model),
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(timeoutMs),
    // The error is a part of the stream, too.
    onError: () => undefined,
  })
  // It fails together with the stream, which reports it first.
  const responseOrNull = Promise.resolve(response).catch(() => null)
  const filter = new ThoughtFilter()
  let saysAnything = false
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('It took too long', 'TimeoutError')
    const text = part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.text : ''
    if (text !== '') tested.firstWordMs ??= since()
    saysAnything ||= text !== '' || part.type === 'tool-call'
    tally.says(text)
    if (part.type === 'finish-step') tally.ends(part.usage)
    tested.answer = answerAfter(tested.answer, part, filter).slice(0, maxAnswerLength)
    if (part.type === 'finish') {
      tested.inputTokens = part.totalUsage.inputTokens ?? null
      tested.outputTokens = part.totalUsage.outputTokens ?? null
      if (part.finishReason === 'content-filter') tested.problem = 'contentRefused'
      if (part.finishReason === 'error') tested.problem = 'failed'
      if (part.finishReason === 'other' || filter.endsInCall) tested.problem = 'unclearEnd'
    }
  }
  tested.model = (await responseOrNull)?.modelId.slice(0, 200) ?? null
  if (!saysAnything && (tested.problem ?? 'unclearEnd') === 'unclearEnd') tested.problem = 'notAnAnswer'
}

const execute = async () => 'Nothing was found.'
/** The tools of a chat, which find nothing. */
const emptyTools = { search_forum: { ...toolForms.search_forum, execute }, read_thread: { ...toolForms.read_thread, execute } }

function answerAfter(before: string, part: TextStreamPart<ToolSet>, filter: ThoughtFilter): string {
  const pieces = part.type === 'text-delta' ? [...filter.take(part.text)] : part.type === 'text-end' ? [...filter.end()] : []
  return pieces.reduce((answer, piece) => (piece.kind === 'restart' ? '' : piece.kind === 'text' ? answer + piece.text : answer), before)
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
  if (its instanceof ModelFault || (its instanceof Error && its.name.startsWith('AI_'))) return { problem: 'notAnAnswer', status: null }
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
