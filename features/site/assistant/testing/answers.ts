import type { ServerResponse } from 'node:http'
import { run, type Run, type RunRequest } from '#assistant/server/run.ts'
import type { Script } from '#assistant/testing/factories.ts'
import { Refusal, type RefusalKind } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'

/** Longer than a busy machine needs for a response. */
export const patient = {
  firstWordMs: 600_000,
  silenceMs: 600_000,
  totalMs: 6_000_000,
  checkedEveryMs: 20,
  betweenTriesMs: 1,
  secondMs: 1,
}

export type Answered = { text: string; refused: RefusalKind | null; run: Run; events: string[] }

type AnswerOptions = { timeouts?: typeof patient; onText?: () => void }

/** The answer of the models of a forum to a question, without a conversation. */
export async function answerBy(
  database: Database,
  overrides: Partial<RunRequest> = {},
  { timeouts = patient, onText = () => {} }: AnswerOptions = {},
): Promise<Answered> {
  const { signal } = new AbortController()
  const its: Run = { model: null, tokens: { input: 0, cached: 0, output: 0, isEstimated: true } }
  const request = {
    job: 'chat' as const,
    instructions: 'Be brief.',
    messages: [{ role: 'user' as const, content: 'Tea?' }],
    mustGoOn: async () => undefined,
  }
  const answered: Answered = { text: '', refused: null, run: its, events: [] }
  try {
    for await (const event of run({ database, signal, timeouts }, { ...request, ...overrides }, its)) {
      answered.events.push(event.kind)
      if (event.kind === 'restart') answered.text = ''
      if (event.kind !== 'text') continue
      answered.text += event.text
      onText()
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    answered.refused = error.kind
  }
  return answered
}

/** A response with this status. */
export const status =
  (code: number, body: string, headers: Record<string, string> = {}): Script =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body)
    return null
  }

/** A stream of these bytes, which then ends, or does what the test wants. */
export const bytes =
  (text: string, then: (response: ServerResponse) => void = (response) => void response.end()): Script =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
    then(response)
    return null
  }
