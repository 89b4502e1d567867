import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { read } from '#base/contract.ts'
import { connectionLimit } from '#base/server/live/connection-limit.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { BrowserApi, Subscription } from '#base/web/api.ts'
import { listen } from '#base/web/listen.ts'

const news = read('/news', { summary: 'Tells of it.', input: z.object({}), output: z.object({}) })
const mei: Viewer = { id: '1', may: () => true, where: () => ({ except: [] }), audience: '' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
  vi.stubGlobal('addEventListener', () => undefined)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A server with room for twelve streams of a member, and the streams that one of its visible tabs opens. */
function tabs(count: number) {
  const { take } = connectionLimit({ total: 5_000, perMember: 12, perNetwork: 60 })
  const left = new AbortController()
  const opened = Array.from({ length: count }, () => 0)
  let isOpen = 0
  function subscribeAs(tab: number) {
    return async (_: string, __: object, { onRetry, signal }: Subscription) => {
      opened[tab] = (opened[tab] ?? 0) + 1
      const { begin, close } = take({ viewer: mei, ip: '198.51.100.7', name: `/news ${tab}` })
      isOpen++
      const over = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve())
        begin(() => {
          onRetry?.(60_000)
          resolve()
        })
      })
      await over
      isOpen--
      close()
    }
  }
  for (let tab = 0; tab < count; tab++) {
    const api = { subscribe: subscribeAs(tab) } as unknown as BrowserApi
    void listen<typeof news>(api, '/news', { input: {}, lastId: () => '', onUpdate: () => undefined, signal: left.signal })
  }
  return { opened, isOpen: () => isOpen, leave: () => left.abort() }
}

test('of thirteen visible tabs one waits, and they take turns by the minute', async () => {
  const { opened, isOpen, leave } = tabs(13)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isOpen()).toBe(12)
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect(isOpen()).toBe(12)
  const returned = opened.reduce((sum, times) => sum + times - 1, 0)
  expect(returned).toBeGreaterThan(50)
  expect(returned).toBeLessThanOrEqual(60)
  expect(Math.max(...opened) - Math.min(...opened)).toBeLessThanOrEqual(1)
  leave()
})
