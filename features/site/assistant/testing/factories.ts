import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import type { Protocol } from '#assistant/protocols.ts'
import { eventsOf, type ChatRequest, type Step } from '#assistant/server/stand-in.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { serve } from '#base/testing/fake-server.ts'
import { asMember } from '#message/server/message.ts'
import type { Visitor } from '#base/testing/visitor.ts'

/** The response of a provider to a request: a step of a model, or null where the script writes the response itself. */
export type Script = (request: ChatRequest, response: ServerResponse) => Step | Promise<Step> | null

/** A local provider that streams the OpenAI protocol, follows its script and records its requests. */
export async function aProvider(first: Script) {
  let script = first
  const requests: ChatRequest[] = []
  let cancelled = 0
  const { address, close } = await serve(() => async (request, response) => {
    const chat = JSON.parse(await text(request)) as ChatRequest
    requests.push(chat)
    const end = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) cancelled++
      end.abort()
    })
    const step = await script(chat, response)
    if (step === null) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    try {
      for await (const event of eventsOf(chat, step, { signal: end.signal, msBetween: 3 })) response.write(event)
      response.end()
    } catch (error) {
      if (!end.signal.aborted) throw error
    }
  })
  afterFile(close)
  return { address: `${address}/v1`, requests, does: (next: Script) => void (script = next), cancelled: () => cancelled }
}

export type Provider = Awaited<ReturnType<typeof aProvider>>

type ModelOptions = {
  sort?: number
  prices?: [input: number, cached: number, output: number]
  isEnabled?: boolean
  protocol?: Protocol
}

/** Switches the assistant on with a model at this address; returns its id. */
export async function withModel(database: Database, { address }: Pick<Provider, 'address'>, terms: ModelOptions = {}): Promise<string> {
  const { sort = 0, prices = [0, 0, 0], isEnabled = true, protocol = 'openai' } = terms
  const [input_price, cached_price, output_price] = prices
  return transact(database, async (tx) => {
    await applySettings(tx, { allowAssistant: true })
    const { id } = await tx
      .insertInto('assistant_model')
      .values({
        name: 'Test',
        protocol,
        address,
        model: 'test',
        jobs: ['chat', 'summary', 'writing', 'translation'],
        is_enabled: isEnabled,
        sort,
        context_tokens: 32_000,
        input_price,
        cached_price,
        output_price,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** A conversation of a member with answers, inserted as rows; returns its id. */
export async function aConversation({ app }: Pick<Database, 'app'>, memberId: string, answers = ['Three minutes.']): Promise<string> {
  return asMember(app, memberId, async (as) => {
    const { id: conversation_id } = await as
      .insertInto('assistant_conversation')
      .values({ member_id: memberId, title: 'Oolong' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const turn = { conversation_id, prompt: 'How long?', state: 'finished', ended_at: new Date() } as const
    if (answers.length === 0) return conversation_id
    await as
      .insertInto('assistant_turn')
      .values(answers.map((answer) => ({ ...turn, answer })))
      .execute()
    return conversation_id
  })
}

type Streamed = Endpoint & { output: z.ZodType<{ kind: string; text?: string | undefined }> }

/** Makes a streamed call and returns the pieces and, last, a refusal if any. */
export async function streams<E extends Streamed>(who: Visitor, { path }: E, input: RawInput<E>) {
  const response = await who.send('POST', path, input as Record<string, unknown>)
  const { pieces, ...rest } = piecesIn(response.body)
  return { pieces: pieces as Output<E>[], ...rest }
}

/** The pieces in the bytes of a streamed answer. */
export function piecesIn(body: string) {
  const events = [...body.matchAll(/^(?:id: \d+|event: (\w+))\ndata: (.*)$/gm)]
  const pieces = events.flatMap(([, name, data = '']) => (name === undefined ? [JSON.parse(data) as { kind: string; text?: string }] : []))
  const refused = events.find(([, name]) => name === 'refused')?.[2]
  return {
    pieces,
    text: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
    refused: refused === undefined ? null : (JSON.parse(refused) as { status: number; body: unknown }),
  }
}
