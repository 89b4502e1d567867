import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import * as contract from '#search/contract.ts'
import { find, settled, type EngineContext } from '#search/testing/engine-suite.ts'

const sample = { numRuns: runs(120) }
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 64 }),
  fc.string({ unit: 'grapheme', maxLength: 64 }),
  fc.string({ unit: fc.constantFrom(...'茶的了壶a1 \'"“”「」&|!():*<>\\%_~^+=-.\u200b\u0301é'), maxLength: 64 }),
)

/** No input of any kind causes an internal error. */
export function bearsAnything(ground: EngineContext): void {
  test('a query of any characters is answered or refused', async () => {
    await ground.topic('Quotes \' and " and \\ and & | ! ( ) : * <-> ', "It's 茶's \\' ''")
    await settled(ground)
    await fc.assert(
      fc.asyncProperty(odd, async (keyword) => {
        const { status } = await ground.forum.visitor().tryCall(contract.search, { keyword })
        expect([200, 400]).toContain(status)
        expect([200, 400]).toContain((await ground.forum.visitor().tryCall(contract.suggest, { keyword })).status)
      }),
      sample,
    )
  })

  test('an address of any bytes is answered or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('keyword', 'tagId', 'from', 'page', 'author', 'sort', 'x'),
        async (bytes, name) => {
          const text = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
          const url = `/api/search?keyword=tea&${name}=${text}`
          const { statusCode } = await ground.forum.app.inject({ method: 'GET', url, remoteAddress: ground.forum.visitor().ip })
          expect([200, 400, 404]).toContain(statusCode)
        },
      ),
      sample,
    )
  })

  test('what has no words finds nothing', async () => {
    for (const keyword of ['!!!', '🍵', '""', '· —', '\u200b']) expect((await find(ground, keyword)).total).toBe(0)
  })

  test('who searches too often is told to wait, a member later than a visitor', async () => {
    const visitor = ground.forum.visitor()
    const member = await ground.forum.member()
    const times = async (who: typeof visitor) => {
      for (let time = 1; time < 50; time++) {
        const { status } = await who.tryCall(contract.search, { keyword: `word ${time}` })
        if (status === 429) return time - 1
      }
      return 50
    }
    expect(await times(visitor)).toBe(10)
    expect(await times(member)).toBe(30)
  })
}
