import { onTestFinished, expect, test } from 'vitest'
import { z } from 'zod'
import { read } from '#base/contract.ts'
import { TooBusy } from '#base/server/call-deadline.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { anyone, route } from '#base/server/http/route.ts'
import { prepareRoute, type Call } from '#base/server/http/serve.ts'

const endpoint = read('/test', { summary: 'Reads.', input: z.object({}), output: z.object({}) })
const cut = Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET' })

/** How often a read that fails like this on a replica is tried. */
async function triesOf(failure: Error): Promise<number> {
  // Nothing listens there: the read fails before it asks.
  const server = (name: string) => `postgres://teahouse@localhost:1/${name}`
  const database = openDatabase(
    { app: server('app'), reader: server('replica'), primaryReader: server('primary') },
    { onLost: () => undefined },
  )
  onTestFinished(() => database.close())
  let tries = 0
  const { read: answer } = prepareRoute(
    route(endpoint, anyone, async () => {
      tries++
      throw failure
    }),
    { database, checked: true },
  )
  const call = {
    viewer: {},
    client: {},
    readBody: async () => ({ body: { as: 'query', text: '' }, upload: null }),
    reader: database.reader,
  }
  await expect(answer(call as unknown as Call)).rejects.toBe(failure)
  return tries
}

test('a read that lost its replica is tried on the primary, but not one that has waited until its deadline', async () => {
  expect([await triesOf(cut), await triesOf(new TooBusy('All connections were in use'))]).toEqual([2, 1])
})
