import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ask } from '#assistant/contract.ts'
import { aProvider, streams, withModel, type Provider, type Script } from '#assistant/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'

let forum: Forum
let provider: Provider
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  provider = await aProvider(() => ({ says: [''] }))
  await withModel(forum.database, provider, { prices: [100, 10, 200] })
})

beforeEach(async () => {
  mei = await forum.member()
})

const event = (its: object) => `data: ${JSON.stringify({ id: '1', choices: [], ...its })}\n\n`

/** Sends a whole text at once, with its usage. */
const saying =
  (content: string, usage: object): Script =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.end(`${event({ usage })}data: [DONE]\n\n`)
    return null
  }

const counts = [5_000_000_000, 1e300, -5, 1.5, 2 ** 31]

test.each(counts)('an answer reported with %d tokens is stored, and counted by an estimate', async (count) => {
  provider.does(
    saying('Three minutes.', { prompt_tokens: count, completion_tokens: count, prompt_tokens_details: { cached_tokens: count } }),
  )
  const { pieces, refused } = await streams(mei, ask, { prompt: 'How long?' })
  expect(refused).toBeNull()
  expect(pieces.at(-1)?.turn).toMatchObject({ answer: 'Three minutes.', state: 'finished' })
  const [use, ...others] = await forum.database.app.selectFrom('assistant_usage').selectAll().where('member_id', '=', mei.id).execute()
  expect(others).toEqual([])
  expect(use?.ended_at).not.toBeNull()
  expect(use).toMatchObject({ is_estimated: true, cached_tokens: 0 })
  expect(Number(use?.cost)).toBeGreaterThan(0)
})

// The connection fails when nothing listens to it any more: an unhandled error there would end the server, and ends the run of these tests.
test.each(['b'.repeat(70_000), 'c '.repeat(40_000), '*d_'.repeat(20_100)])(
  'an answer that is too long is cut, and its connection with it',
  async (text) => {
    provider.does(saying(text, { prompt_tokens: 5, completion_tokens: 5 }))
    for (let times = 0; times < 3; times++) {
      const { pieces, refused } = await streams(mei, ask, { prompt: 'How long?' })
      expect(refused).toBeNull()
      expect(pieces.at(-1)?.turn?.state).toBe('finished')
    }
  },
)
