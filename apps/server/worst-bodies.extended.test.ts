import { expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '#apps/server/features.ts'
import { bodyLimitsOf } from '#base/server/http/body-limits.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { countingSteps } from '#base/testing/steps.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { worstForms, worstJson, worstParts, type Shape } from '#base/testing/hostile-bodies.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const [form, json, parts] = ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data; boundary=b']
// Address and headers together have no more room.
const longestQuery = 12_000
const longBody = 20_000
// A field is parsed character by character; each value of a body costs some steps.
const stepsPerByte = 15

type Sent = { type: string; text: string }

function* bodiesFor({ endpoint: { method, input }, uploadBytes }: (typeof routes)[number]): Generator<Sent> {
  const shape = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape
  if (method === 'GET') {
    for (const text of worstForms(shape, longestQuery)) yield { type: form, text: text.replaceAll(/[^!-~]/g, '1') }
    return
  }
  const bytes = Math.min(longBody, bodyLimitsOf(input).maxBytes - 10_000)
  for (const text of worstJson(shape, bytes)) yield { type: json, text }
  for (const text of worstForms(shape, bytes)) yield { type: form, text }
  if (uploadBytes) for (const text of worstParts(bytes)) yield { type: parts, text }
  yield* floods
}

const floods: Sent[] = [
  { type: form, text: 'a=&'.repeat(600_000) },
  { type: json, text: `{${'"a":0,'.repeat(250_000)}"b":0}` },
]
// Authentication and the refusal.
const stepsOfRefusal = 20_000

test('the worst that is sent to a call costs little more than any other that it refuses', () =>
  countingSteps(async (stepsOf) => {
    const forum = await aForum({ isOneServer: true })
    const [mei, staffer] = [await forum.member(), await aStaffer(forum)]
    for (const route of routes) {
      const { path, method } = route.endpoint
      const who = path.startsWith('/admin/') ? staffer : mei
      const bodies = [...bodiesFor(route)]
      const send = (body: Sent) => sendTo(forum, { method, path, who, ...body })
      const ordinary: Sent = { type: form, text: 'unknown=1' }
      await send(ordinary)
      const usual = await stepsOf(() => send(ordinary))
      const bytes = bodies.reduce((sum, { text }) => sum + text.length, 0)
      const steps = await stepsOf(async () => {
        for (const body of bodies)
          expect.soft(await send(body), `${method} ${path} ${body.type} ${body.text.slice(0, 80)}`).toBeLessThan(500)
      })
      expect
        .soft(steps, `${method} ${path}: ${bytes} bytes, ${usual} steps usually`)
        .toBeLessThan(2 * usual * bodies.length + stepsPerByte * bytes)
    }
  }))

test('a body beyond the limit of a call is refused before it is read', () =>
  countingSteps(async (stepsOf) => {
    const forum = await aForum({ isOneServer: true })
    const [mei, staffer] = [await forum.member(), await aStaffer(forum)]
    const small = routes.filter(({ endpoint: { method, input } }) => method === 'POST' && bodyLimitsOf(input).maxBytes < 1_500_000)
    expect(small.length).toBeGreaterThan(100)
    for (const { endpoint } of small) {
      const who = endpoint.path.startsWith('/admin/') ? staffer : mei
      for (const flood of floods) {
        const steps = await stepsOf(async () => {
          expect.soft(await sendTo(forum, { ...endpoint, who, ...flood }), endpoint.path).toBeGreaterThanOrEqual(400)
        })
        expect.soft(steps, `${endpoint.path} ${flood.type}`).toBeLessThan(stepsOfRefusal)
      }
    }
  }))

type Call = Sent & { method: 'GET' | 'POST'; path: string; who: Visitor }

async function sendTo({ app }: Forum, { method, path, who, type, text }: Call): Promise<number> {
  const { statusCode } = await app.inject({
    method,
    url: method === 'GET' ? `/api${path}?${text}` : `/api${path}`,
    remoteAddress: who.ip,
    headers: { ...who.headers(method), 'content-type': type },
    ...(method === 'POST' && { payload: text }),
  })
  return statusCode
}
