import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page

beforeAll(async () => {
  site = await componentPage('./call-page.ts')
  const browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(site.origin)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => {
  site.calls.length = 0
})

const end = 'event: end\ndata: {}\n\n'
const event = (piece: unknown) => `id: 1\ndata: ${JSON.stringify(piece)}\n\n`

/** Sends these bytes in chunks of the given size. */
function sending(text: string, { bytesAtOnce = Infinity, breaks = false } = {}): void {
  const bytes = Buffer.from(text)
  async function* parts(): AsyncIterable<Buffer> {
    for (let at = 0; at < bytes.length; at += bytesAtOnce) {
      yield bytes.subarray(at, Math.min(bytes.length, at + bytesAtOnce))
      await turn()
    }
    if (!breaks) return
    // A browser may drop unread data when a connection breaks.
    await page.waitForFunction(() => window.harness.hasHeard())
    throw new Error('The line breaks')
  }
  site.answer = () => ({ body: Readable.from(parts()) })
}

const read = () => page.evaluate(() => window.harness.stream('/ask'))

test.each([1, 2, 3, 7, Infinity])('pieces come whole however they are cut, %s bytes at once', async (bytesAtOnce) => {
  const pieces = [{ text: '茶 🍵 é' }, { text: 'a\nb\r\n“c”' }, { text: '' }]
  sending(`:\n\n${pieces.map(event).join('')}${end}`, { bytesAtOnce })
  expect(await read()).toEqual({ answer: {}, pieces })
})

test.each(['\r\n', '\r'])('lines may end in %j, cut in the middle too', async (lineEnd) => {
  sending(`${event({ text: '茶' })}${event({ text: 'tea' })}${end}`.replaceAll('\n', lineEnd) + lineEnd, { bytesAtOnce: 1 })
  expect((await read()).pieces).toEqual([{ text: '茶' }, { text: 'tea' }])
})

test('data on several lines is one piece', async () => {
  sending(`data: {"text":\ndata: "tea"}\n\n${end}`)
  expect(await read()).toEqual({ answer: {}, pieces: [{ text: 'tea' }] })
})

test('a refusal on the way is reported like any other, after the earlier pieces, and ends it', async () => {
  const body = { error: { base: 'Used up.' } }
  sending(`${event({ text: 'Half' })}event: refused\ndata: ${JSON.stringify({ status: 422, body })}\n\n${event({ text: 'late' })}`)
  expect(await read()).toMatchObject({
    pieces: [{ text: 'Half' }],
    failed: { name: 'FieldErrors', status: 422, fields: { base: 'Used up.' } },
  })
})

test.each([
  ['ends', false],
  ['breaks', true],
] as const)('a line that %s before the end of the answer is no whole answer', async (_, breaks) => {
  sending(event({ text: 'Half' }), { breaks })
  expect(await read()).toMatchObject({ pieces: [{ text: 'Half' }], failed: { name: 'CallFailed', status: 0 } })
})

test('an event that was not ended is no piece', async () => {
  sending(`${event({ text: 'Half' })}data: {"text":"cut"}`)
  expect((await read()).pieces).toEqual([{ text: 'Half' }])
})

test('an immediate refusal is no stream', async () => {
  site.answer = () => ({ status: 422, body: { error: { base: 'No model.' } } })
  expect(await read()).toMatchObject({ pieces: [], failed: { name: 'FieldErrors', status: 422 } })
})
