import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fetch } from '#base/server/outbound/safe-fetch.ts'

/** A chat in the OpenAI protocol, as far as the stand-in reads it. */
export type ChatRequest = {
  stream?: boolean
  messages: { role: string; content?: unknown; tool_calls?: unknown }[]
  tools?: { function: { name: string } }[]
}

/** The next step of a model: text piece by piece, or a tool call. */
export type Step = { says: readonly string[] } | { calls: { name: string; input: unknown } }

/**
 * A stand-in for development, without a key or provider: it speaks the OpenAI protocol, searches the forum for the question, and answers
 * with the results and a note that it is a stand-in.
 */
export const answerAsStandIn: Fetch = async (_, { body, signal } = {}) => {
  if (typeof body !== 'string') throw new TypeError('A chat is sent as text')
  const request = JSON.parse(body) as ChatRequest
  const events = Readable.from(eventsOf(request, stepOf(request), { signal: signal ?? undefined, msBetween: 30 }))
  return new Response(Readable.toWeb(events) as ReadableStream, {
    headers: { 'content-type': 'text/event-stream' },
  })
}

type Pace = { signal: AbortSignal | undefined; /** After each piece of text. */ msBetween: number }

/** The events of a step, as the protocol streams them, with the usage at the end. */
export async function* eventsOf(request: ChatRequest, step: Step, { signal, msBetween }: Pace): AsyncIterable<Uint8Array> {
  const chunk = (its: object) =>
    event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'stand-in', ...its })
  const choice = (delta: object, finish: string | null = null) => chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
  yield choice({ role: 'assistant', content: '' })
  if ('calls' in step) {
    const call = { name: step.calls.name, arguments: JSON.stringify(step.calls.input) }
    yield choice({ tool_calls: [{ index: 0, id: `call_${request.messages.length}`, type: 'function', function: call }] })
    yield choice({}, 'tool_calls')
  } else {
    for (const text of step.says) {
      yield choice({ content: text })
      await pause(msBetween, undefined, { signal })
    }
    yield choice({}, 'stop')
  }
  const [input, output] = [JSON.stringify(request.messages).length, JSON.stringify(step).length].map((length) => Math.ceil(length / 4))
  yield chunk({ choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: (input ?? 0) + (output ?? 0) } })
  yield new TextEncoder().encode('data: [DONE]\n\n')
}

function event(value: object): Uint8Array {
  return new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`)
}

function stepOf({ messages, tools = [] }: ChatRequest): Step {
  const question = textOf(messages.findLast(({ role }) => role === 'user')?.content)
  const last = messages.at(-1)
  if (last?.role !== 'tool' && tools.some(({ function: { name } }) => name === 'search_forum'))
    return { calls: { name: 'search_forum', input: { query: question.slice(0, 60) } } }
  const system = textOf(messages.find(({ role }) => role === 'system')?.content)
  if (system.includes('"titles"')) return { says: [suggestionFor(question, system)] }
  return { says: inPieces(last?.role === 'tool' ? reportOf(question, textOf(last.content)) : echoOf(question)) }
}

type Hit = { title: string; excerpt: string; address: string }

function reportOf(question: string, found: string): string {
  const hits = hitsIn(found)
  const lines = hits.slice(0, 4).map(({ title, excerpt, address }) => `- [${title.replaceAll(/[[\]]/g, '')}](${address}): ${excerpt}`)
  if (isChinese(question))
    return hits.length === 0
      ? '（这是供开发用的模拟模型，不是真正的模型。）\n\n社区里没有找到相关内容。'
      : `（这是供开发用的模拟模型，不是真正的模型。）\n\n社区里找到这些：\n\n${lines.join('\n')}`
  return hits.length === 0
    ? '(A stand-in for development answers, not a model.)\n\nNothing about that was found here.'
    : `(A stand-in for development answers, not a model.)\n\nThis was found here:\n\n${lines.join('\n')}`
}

function hitsIn(found: string): Hit[] {
  try {
    const value: unknown = JSON.parse(found)
    return Array.isArray(value) ? (value as Hit[]) : []
  } catch {
    return [] // a thread, not a list
  }
}

function echoOf(question: string): string {
  const text = question.slice(0, 400)
  return isChinese(question)
    ? `（这是供开发用的模拟模型，不是真正的模型。）\n\n${text}`
    : `(A stand-in for development answers, not a model.)\n\n${text}`
}

function suggestionFor(draft: string, system: string): string {
  const [title = ''] = draft
    .replaceAll(/[#*`>_-]/g, '')
    .trim()
    .split('\n', 1)
  return JSON.stringify({ titles: [title.slice(0, 60)], tags: [/^(\d+):/m.exec(system)?.[1] ?? ''] })
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(({ text }: { text?: string }) => text ?? '').join('') : ''
}

function inPieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? []
}
