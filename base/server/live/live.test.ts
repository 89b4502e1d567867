import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { read } from '#base/contract.ts'
import type { StreamUpdate } from '#base/server/live/subscriber.ts'
import { serveLive, publishStream } from '#base/server/live/live.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { Invalidations } from '#base/server/cache/invalidation.ts'
import { eventListener } from '#base/testing/listen.ts'
import { until } from '#base/testing/waits.ts'

const endpoint = read('/weather', {
  summary: 'Tells of it.',
  input: z.object({ town: z.string() }),
  output: z.object({ rain: z.number() }),
})
const visitor: Viewer = { id: null, may: () => true, where: () => ({ except: [] }), audience: '' }

async function aWeather({ limits = {}, heartbeatMs = 10_000 } = {}) {
  const invalidations = new Invalidations('postgres://nowhere')
  const sky = {
    rain: 1,
    isAway: false,
    isShut: false,
    looks: 0,
    looking: 0,
    mostLooking: 0,
    until: Promise.resolve(),
    sureForMs: null as number | null,
    isOut: false,
    untilAuthenticated: Promise.resolve(),
    authenticating: 0,
  }
  // Kept as the program keeps its settings, by a cache that hears of changes from its first use on.
  const kept = { isShut: null as boolean | null, hears: false }
  function isShutNow(): boolean {
    if (!kept.hears) invalidations.on(() => (kept.isShut = null))
    kept.hears = true
    return (kept.isShut ??= sky.isShut)
  }
  async function look(): Promise<StreamUpdate | null> {
    sky.looks++
    const { rain } = sky
    sky.mostLooking = Math.max(sky.mostLooking, ++sky.looking)
    await sky.until
    sky.looking--
    if (sky.isAway) throw new Error('The sky is away')
    return rain < 0 ? null : { id: String(rain), data: { rain }, seenBy: () => true }
  }
  const app = fastify()
  const listening = serveLive(app, {
    sources: [publishStream(endpoint, ({ town }) => `town:${town}`, look)],
    database: { invalidations, app: null, reader: null } as never,
    async authenticate() {
      sky.authenticating++
      await sky.untilAuthenticated
      if (isShutNow() || sky.isOut) throw new Error('Nobody is let in')
      return { viewer: visitor, sureForMs: sky.sureForMs }
    },
    affectedBy: (tags) => (tags.includes('setting') ? 'everybody' : new Set()),
    headers: {},
    limits,
    heartbeatMs,
  })
  app.setErrorHandler((error, _, reply) => reply.code(Object.hasOwn(error as object, 'kind') ? 422 : 500).send())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => app.close())
  const listen = (town = 'Hangzhou') => eventListener((how) => fetch(`${url}/api/weather?town=${town}`, how))
  function shut(): void {
    sky.isShut = true
    invalidations.announce(new Set(['setting']))
  }
  const rains = (rain: number, town = 'Hangzhou') => {
    sky.rain = rain
    invalidations.announce(new Set([`town:${town}`]))
  }
  function rainsEverywhere(rain: number): void {
    sky.rain = rain
    invalidations.announce(new Set(['town:*']))
  }
  return { sky, listen, rains, rainsEverywhere, shut, listening, app }
}

test('a hundred listeners are served by one read, and are forgotten as soon as they leave', async () => {
  const { sky, listen, rains, listening } = await aWeather()
  const tabs = await Promise.all(Array.from({ length: 100 }, () => listen()))
  expect(listening()).toBe(100)
  const before = sky.looks
  rains(2)
  for (const tab of tabs) await expect.poll(() => tab.events().at(-1)?.data).toBe('{"rain":2}')
  expect(sky.looks - before).toBe(1)

  for (const tab of tabs) tab.close()
  await expect.poll(listening).toBe(0)
  rains(3)
  // A later subscriber is served after every pending read.
  const late = await listen()
  await expect.poll(() => late.events().at(-1)?.data).toBe('{"rain":3}')
  expect(sky.looks - before).toBe(2)
  late.close()
})

test('a listener is disconnected when the site closes', async () => {
  const { listen, shut, listening } = await aWeather()
  await listen()
  shut()
  await expect.poll(listening).toBe(0)
})

test('a subscriber is authenticated again when their rights may have ended by the clock', async () => {
  const { sky, listen, listening } = await aWeather()
  sky.sureForMs = 1
  const tab = await listen()
  expect(tab.status).toBe(200)
  sky.isOut = true
  await expect.poll(listening).toBe(0)
})

test('a subscription that begins while the site closes is refused', async () => {
  const { sky, listen, listening, shut } = await aWeather()
  const clouds = Promise.withResolvers<void>()
  sky.until = clouds.promise
  const coming = listen()
  await until(() => sky.looks === 1)
  shut()
  clouds.resolve()
  await coming
  await expect.poll(listening).toBe(0)
})

test('an event during the connecting is not missed', async () => {
  const { sky, listen, rains } = await aWeather()
  const clouds = Promise.withResolvers<void>()
  sky.until = clouds.promise
  const coming = listen()
  await until(() => sky.looks === 1)
  rains(7)
  clouds.resolve()
  const tab = await coming
  await expect.poll(() => tab.events().map(({ id }) => id)).toEqual(['1', '7'])
  tab.close()
})

test('a listener who leaves while connecting leaves nothing behind', async () => {
  const { sky, listen, listening, rains } = await aWeather({ limits: { total: 1 } })
  const clouds = Promise.withResolvers<void>()
  sky.until = clouds.promise
  const coming = listen()
  await until(() => sky.looks === 1)
  void coming.then((tab) => tab.close())
  clouds.resolve()
  await coming
  await expect.poll(listening).toBe(0)
  rains(2)
  await expect.poll(async () => (await listen()).status).toBe(200)
})

test('a listener who leaves before it is known who they are leaves nothing behind', async () => {
  const { sky, listen, app } = await aWeather({ limits: { total: 1 } })
  const known = Promise.withResolvers<void>()
  sky.untilAuthenticated = known.promise
  const left = new AbortController()
  const coming = fetch(`${app.listeningOrigin}/api/weather?town=Hangzhou`, { signal: left.signal })
  await until(() => sky.authenticating === 1)
  left.abort()
  await expect(coming).rejects.toThrow('aborted')
  await until(() => openConnections(app).then((open) => open === 0))
  known.resolve()
  expect((await listen()).status).toBe(200)
})

test('when the read fails, the streams end, and a new listener is refused', async () => {
  const { sky, listen, rains, listening } = await aWeather()
  const tab = await listen()
  sky.isAway = true
  rains(2)
  await expect.poll(tab.isClosed).toBe(true)
  expect(listening()).toBe(0)
  expect((await listen()).status).toBe(500)
  sky.isAway = false
  expect((await listen()).status).toBe(200)
})

test('there is room for so many, and a place that is left is free', async () => {
  const { listen } = await aWeather({ limits: { total: 2 } })
  const [first] = [await listen('Hangzhou'), await listen('Suzhou')]
  expect((await listen()).status).toBe(422)
  first.close()
  await expect.poll(async () => (await listen()).status).toBe(200)
})

test('a line without news is kept alive', async () => {
  const { listen } = await aWeather({ heartbeatMs: 20 })
  const tab = await listen()
  await expect.poll(() => tab.text()).toContain(':\n\n:\n\n')
  tab.close()
})

test('a removed channel is missing, and is not remembered', async () => {
  const { listen, rains, listening } = await aWeather()
  const tab = await listen()
  rains(-1)
  await expect.poll(tab.isClosed).toBe(true)
  expect((await listen()).status).toBe(422)
  expect(listening()).toBe(0)
})

test('an event for every channel of a sort is read a few at a time, and sent to all', async () => {
  const { sky, listen, rainsEverywhere } = await aWeather()
  const towns = await Promise.all(Array.from({ length: 35 }, (_, n) => listen(`Town ${n}`)))
  const clouds = Promise.withResolvers<void>()
  Object.assign(sky, { until: clouds.promise, mostLooking: 0, looks: 0 })
  rainsEverywhere(5)
  rainsEverywhere(6)
  await until(() => sky.looking === 10)
  clouds.resolve()
  for (const town of towns) await expect.poll(() => town.events().at(-1)?.data).toBe('{"rain":6}')
  expect(sky.mostLooking).toBeLessThanOrEqual(10)
  expect(sky.looks).toBeLessThanOrEqual(70)
})

test('an event for every channel is not missed by one that is being read', async () => {
  const { sky, listen, rains, rainsEverywhere } = await aWeather()
  const tab = await listen()
  const clouds = Promise.withResolvers<void>()
  Object.assign(sky, { until: clouds.promise, looks: 0 })
  rains(2)
  await until(() => sky.looks === 1)
  rainsEverywhere(7)
  clouds.resolve()
  await expect.poll(() => tab.events().map(({ id }) => id)).toEqual(['1', '2', '7'])
  tab.close()
})

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
}
