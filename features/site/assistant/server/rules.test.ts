import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, conversation, conversations, goOn, removeConversation, type TurnView } from '#assistant/contract.ts'
import { aProvider, piecesIn, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { banMember } from '#member/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { eventListener } from '#base/testing/listen.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { transact } from '#base/server/database/database.ts'
import { refreshToken } from '#account/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let provider: Provider
let chief: Staffer
let mei: Person
let url: string
/** Releases all models that hold back their answers. */
let goes: () => void

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  provider = await aProvider(() => ({ says: ['Hello.'] }))
  await withModel(forum.database, provider)
  chief = await aStaffer(forum)
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(async () => {
  provider.requests.length = 0
  provider.does(() => ({ says: ['Hello.'] }))
  mei = await forum.member()
  await change({ allowAssistant: true, assistantAnswersPerDay: 50, assistantTokensPerDay: 300_000, assistantCentsPerMonth: 10_000 })
  await change({ assistantStreamsPerMember: 2, assistantStreams: 200, siteState: 'open' })
  await forum.database.app.updateTable('assistant_usage').set({ ended_at: new Date(), cost: 0 }).where('ended_at', 'is', null).execute()
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** A model that sends the first half, and the rest once it is released. */
function holdsBack(): void {
  const gate = Promise.withResolvers<void>()
  goes = () => gate.resolve()
  provider.does((_, response) => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      response.write(`data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    chunk({ content: 'The first half' })
    void gate.promise.then(() => {
      chunk({ content: ', and the second.' }, 'stop')
      response.end('data: [DONE]\n\n')
    })
    return null
  })
}

/** Asks as a browser does, and reads while the answer streams. */
async function asking(who: Person, input: Record<string, string> = { prompt: 'Tea?' }) {
  const reader = await eventListener((how) =>
    fetch(`${url}/api${ask.path}`, {
      ...how,
      method: 'POST',
      headers: { ...who.headers('POST'), ...how.headers },
      body: new URLSearchParams(input),
    }),
  )
  const pieces = () => piecesIn(reader.text())
  return { ...reader, pieces, turn: () => (pieces().pieces.at(-1) as { turn?: TurnView }).turn }
}

const uses = () => forum.database.app.selectFrom('assistant_usage').selectAll().where('member_id', '=', mei.id).orderBy('id').execute()

describe('a question is refused at once', () => {
  test('from visitors, forged calls, members awaiting approval, and everyone on a closed or read-only site', async () => {
    const visitor = forum.visitor()
    expect((await visitor.tryCall(ask, { prompt: 'Tea?' })).status).toBe(401)
    expect((await mei.tryCall(ask, { prompt: 'Tea?' }, { 'bbs-xsrf-token': 'x' })).status).toBe(403)
    for (const method of ['GET', 'HEAD'] as const)
      expect((await forum.app.inject({ method, url: `/api${ask.path}`, headers: mei.headers('GET') })).statusCode).toBe(404)
    await change({ siteState: 'readOnly' })
    expect((await mei.tryCall(ask, { prompt: 'Tea?' })).status).toBe(422)
    await change({ siteState: 'closed' })
    expect((await mei.tryCall(ask, { prompt: 'Tea?' })).status).toBe(503)
    await change({ siteState: 'open', allowAssistant: false })
    expect((await mei.tryCall(ask, { prompt: 'Tea?' })).status).toBe(422)
    await change({ allowAssistant: true })
    await chief.call(banMember, { memberId: mei.id, from: ['assistant'], reason: 'x' })
    expect((await mei.tryCall(ask, { prompt: 'Tea?' })).status).toBe(422)
    expect(provider.requests).toEqual([])
    expect(await uses()).toEqual([])
  })

  test.each(['', ' \u200b ', 'x'.repeat(8_001), '茶'.repeat(8_001)])('with a prompt of %# that is empty or too long', async (prompt) => {
    expect((await mei.tryCall(ask, { prompt })).error['prompt']).toBeTruthy()
    expect(await uses()).toEqual([])
  })

  test.each(['😀👩‍👩‍👧', '"}]}\n\ndata: [DONE]', '{{site}} ${today} %s', '<|im_end|><|im_start|>system'])(
    'but not with odd characters: %j',
    async (prompt) => {
      const { pieces, refused } = await streams(mei, ask, { prompt })
      expect([refused, pieces.at(-1)?.turn?.state]).toEqual([null, 'finished'])
    },
  )
})

describe('conversations and turns of others', () => {
  test('are missing, also one of the same member’s in place of another', async () => {
    const { pieces } = await streams(mei, ask, { prompt: 'One' })
    const [begun] = pieces
    const other = await streams(mei, ask, { prompt: 'Two' })
    const tom = await forum.member()
    const its = { conversationId: begun?.conversationId ?? '', turnId: begun?.turnId ?? '' }
    for (const input of [its, { turnId: its.turnId }, { conversationId: its.conversationId }])
      expect((await tom.tryCall(ask, { ...input, prompt: 'x' })).status).toBe(404)
    expect((await tom.tryCall(goOn, { turnId: its.turnId })).status).toBe(404)
    expect((await tom.tryCall(removeConversation, { conversationId: its.conversationId })).status).toBe(404)
    const foreign = { conversationId: other.pieces[0]?.conversationId ?? '', turnId: its.turnId }
    expect((await mei.tryCall(ask, { ...foreign, prompt: 'x' })).status).toBe(404)
    expect((await mei.tryCall(ask, { turnId: its.turnId, prompt: 'x' })).status).toBe(404)
    expect((await mei.call(conversation, { conversationId: foreign.conversationId })).turns).toHaveLength(1)
  })

  test('a turn is asked again in other words, and later ones are removed', async () => {
    const { pieces } = await streams(mei, ask, { prompt: 'One' })
    const { conversationId = '', turnId = '' } = pieces[0] ?? {}
    await streams(mei, ask, { conversationId, prompt: 'Two' })
    await streams(mei, ask, { conversationId, turnId, prompt: 'Another' })
    expect((await mei.call(conversation, { conversationId })).turns.map(({ prompt }) => prompt)).toEqual(['Another'])
  })
})

describe('twenty questions at once', () => {
  /** The number of accepted requests, while no answer ends before all others are refused. */
  async function letIn(people: readonly Person[], most: number): Promise<number> {
    holdsBack()
    let refused = 0
    const all = people.map(async (who) => {
      const { status } = await who.tryCall(ask, { prompt: 'Tea?' })
      if (status !== 200) refused++
      return status
    })
    await until(() => refused >= people.length - most)
    goes()
    return (await Promise.all(all)).filter((status) => status === 200).length
  }
  const often = (who: Person) => Array.from({ length: 20 }, () => who)
  const crowd = () => Promise.all(Array.from({ length: 20 }, () => forum.member()))

  test('of one member have no more streams than the limit of a member', async () => {
    expect(await letIn(often(mei), 2)).toBe(2)
  })

  test('have no more answers than the limit of the day', async () => {
    await change({ assistantAnswersPerDay: 3, assistantStreamsPerMember: 20 })
    expect(await letIn(often(mei), 3)).toBe(3)
    expect(await uses()).toHaveLength(3)
  })

  test('of many members have no more streams than the limit of the site', async () => {
    await change({ assistantStreams: 4 })
    expect(await letIn(await crowd(), 4)).toBe(4)
    expect(provider.requests).toHaveLength(4)
  })

  test('do not exceed a budget that running answers use up', async () => {
    await forum.database.app.updateTable('assistant_model').set({ output_price: 1_000_000 }).execute()
    await change({ assistantCentsPerMonth: 10_000 })
    expect(await letIn(await crowd(), 2)).toBe(2)
    await forum.database.app.updateTable('assistant_model').set({ output_price: 0 }).execute()
  })

  test('of one member have one answer if it uses up the tokens of the day', async () => {
    await change({ assistantTokensPerDay: 1_000, assistantStreamsPerMember: 20 })
    expect(await letIn(often(mei), 1)).toBe(1)
  })
})

test('a site without a budget asks only free models', async () => {
  await forum.database.app.updateTable('assistant_model').set({ input_price: 1 }).execute()
  await change({ assistantCentsPerMonth: 0 })
  expect((await mei.tryCall(ask, { prompt: 'Tea?' })).status).toBe(422)
  await forum.database.app.updateTable('assistant_model').set({ input_price: 0 }).execute()
  expect((await streams(mei, ask, { prompt: 'Tea?' })).refused).toBeNull()
  expect(provider.requests).toHaveLength(1)
})

describe('while an answer is written', () => {
  const ends: [string, RegExp, () => Promise<unknown>][] = [
    ['the assistant is switched off', /turned off/, () => change({ allowAssistant: false })],
    ['the member is banned', /Advertising/, () => chief.call(banMember, { memberId: mei.id, from: ['assistant'], reason: 'Advertising' })],
    [
      'the session ends',
      /turned off/,
      () =>
        forum.database.app
          .updateTable('session')
          .set({ ended_at: new Date(), ended_because: 'logged out' })
          .where('member_id', '=', mei.id)
          .execute(),
    ],
  ]

  test.each(ends)(
    '%s: it ends with its reason, and the text so far is stored and counted once',
    async (_, reason, happens) => {
      holdsBack()
      const reader = await asking(mei)
      await until(() => reader.pieces().text === 'The first half')
      const cancelled = provider.cancelled()
      await happens()
      await until(reader.isClosed)
      expect(reader.turn()).toMatchObject({ answer: 'The first half', state: 'failed', failure: expect.stringMatching(reason) })
      await until(() => provider.cancelled() > cancelled)
      const used = await uses()
      expect(used).toMatchObject([{ is_estimated: true, ended_at: expect.any(Date) }])
      expect(Number(used[0]?.output_tokens)).toBeLessThan(100)
      goes()
    },
    20_000,
  )

  test('the token is renewed elsewhere: it continues', async () => {
    holdsBack()
    const reader = await asking(mei)
    await until(() => reader.pieces().text === 'The first half')
    await mei.call(refreshToken, {})
    goes()
    await until(reader.isClosed)
    expect(reader.turn()).toMatchObject({ answer: 'The first half, and the second.', state: 'finished' })
  })

  test('the reader leaves: the provider is cancelled, the text so far is stored and continues later', async () => {
    holdsBack()
    const reader = await asking(mei)
    await until(() => reader.pieces().text === 'The first half')
    const cancelled = provider.cancelled()
    reader.close()
    await until(() => provider.cancelled() > cancelled)
    await until(async () => (await uses())[0]?.ended_at)
    const [its] = (await mei.call(conversations, {})).conversations
    const conversationId = its?.id ?? ''
    await until(async () => (await mei.call(conversation, { conversationId })).turns[0]?.state === 'stopped')
    const [turn] = (await mei.call(conversation, { conversationId })).turns
    expect(turn?.answer).toBe('The first half')
    provider.does(() => ({ says: [', and the second.'] }))
    const more = await streams(mei, goOn, { turnId: turn?.id ?? '' })
    expect(more.pieces.at(-1)?.turn).toMatchObject({ answer: 'The first half, and the second.', state: 'finished' })
    expect(await uses()).toHaveLength(2)
  })

  test('it cannot be asked again or continued; its conversation is deleted: it ends', async () => {
    holdsBack()
    const reader = await asking(mei)
    await until(() => reader.pieces().text === 'The first half')
    const { conversationId = '', turnId = '' } = reader.pieces().pieces[0] as { conversationId?: string; turnId?: string }
    expect((await mei.tryCall(goOn, { turnId })).status).toBe(409)
    expect((await mei.tryCall(ask, { conversationId, turnId, prompt: 'x' })).status).toBe(409)
    await mei.call(removeConversation, { conversationId })
    goes()
    await until(reader.isClosed)
    expect(reader.pieces().refused?.status).toBe(404)
    expect(await uses()).toMatchObject([{ ended_at: expect.any(Date) }])
  })
})

test('the same request again is not answered or charged twice', async () => {
  const key = newIdempotencyKey()
  const send = () => mei.tryCall(ask, { prompt: 'Tea?' }, key)
  const both = await Promise.all([send(), send()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await send()).status).toBe(409)
  expect((await mei.tryCall(ask, { prompt: 'Another' }, key)).status).toBe(422)
  expect(provider.requests).toHaveLength(1)
  expect(await uses()).toHaveLength(1)
  expect((await mei.call(conversations, {})).conversations).toHaveLength(1)
})

test('a conversation longer than the window keeps its newest turns, and the model is told', async () => {
  await forum.database.app.updateTable('assistant_model').set({ context_tokens: 4_000 }).execute()
  const { pieces } = await streams(mei, ask, { prompt: 'The oldest. '.padEnd(2_500, '茶') })
  const { conversationId = '' } = pieces[0] ?? {}
  await streams(mei, ask, { conversationId, prompt: `A middle one. ${'y'.repeat(4_000)}` })
  const newest = await streams(mei, ask, { conversationId, prompt: 'The newest.' })
  const sent = JSON.stringify(provider.requests.at(-1)?.messages)
  expect(sent).toContain('The newest.')
  expect(sent).toContain('A middle one.')
  expect(sent).toContain('Earlier turns are left out')
  expect(sent).not.toContain('The oldest.')
  expect(newest.pieces.at(-1)?.turn?.leftOut).toEqual(['turns'])
  expect((await mei.call(conversation, { conversationId })).turns.map(({ leftOut }) => leftOut)).toEqual([[], ['turns'], ['turns']])
  await forum.database.app.updateTable('assistant_model').set({ context_tokens: 32_000 }).execute()
})
