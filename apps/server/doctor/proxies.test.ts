import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyCheck, Ground } from '#apps/server/doctor/check.ts'
import type { Finding } from '#apps/server/doctor/finding.ts'
import { groundOfForum, inTurn } from '#apps/server/doctor/ground.ts'
import { forwarding, streaming, uploading } from '#apps/server/doctor/proxy-checks.ts'
import { certificateEnd, encryption, firstPage, openMetrics, redirectOf } from '#apps/server/doctor/site-checks.ts'
import { readConfig } from '#base/server/config.ts'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { serveJson } from '#base/testing/fake-server.ts'
import { aForum, renderedFrontend, type Forum } from '#base/testing/forum.ts'
import { patienceMs } from '#base/testing/patience.ts'
import { aSmallProxy } from '#base/testing/small-proxy.ts'
import { aCertificate } from '#payment/testing/certificate.ts'

const certificate = aCertificate('localhost', { until: 60 })
let forum: Forum
let upstream: string
let trusting: string
let owner: pg.Client

beforeAll(async () => {
  forum = await aForum({ isOneServer: true, openFrontend: renderedFrontend, env: { TEAHOUSE_URL: 'https://localhost' } })
  upstream = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  const trusts = await aForum({
    isOneServer: true,
    openFrontend: renderedFrontend,
    env: { TEAHOUSE_URL: 'https://localhost', TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1' },
  })
  trusting = await trusts.app.listen({ port: 0, host: '127.0.0.1' })
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())

/** The findings of checks at an address, as words with their states. */
async function found(site: URL, ...checks: AnyCheck[]): Promise<Record<string, Finding['state']>> {
  const ground: Ground = {
    config: readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: forum.dataDir, NODE_ENV: 'production' }),
    isEmbedded: true,
    database: { pools: forum.database, asOwner: inTurn(owner) },
    site,
    health: null,
    ca: certificate.certificate,
  }
  const all = checks.map((check) => withDeadline(patienceMs(), async (signal) => check.run(ground as never, signal)))
  return Object.fromEntries((await Promise.all(all)).flat().map(({ word, state }) => [word, state]))
}

describe('through a proxy that does all right', () => {
  test('nothing is wrong, and browsers get HTTP/2', async () => {
    const site = await aSmallProxy({ upstream: trusting, certificate })
    expect(await found(site, encryption, firstPage, openMetrics, forwarding, uploading)).toEqual({
      certificateLasts: 'ok',
      http2: 'ok',
      compressed: 'ok',
      securityHeaders: 'ok',
      clockOfSite: 'ok',
      metricsClosed: 'ok',
      forwarded: 'ok',
      hostPassed: 'ok',
      uploaded: 'ok',
    })
  })

  test('a stream arrives at once, and its end is heard', async () => {
    const site = await aSmallProxy({ upstream, certificate })
    expect(await found(site, streaming)).toEqual({ streamPrompt: 'ok', streamLeft: 'ok' })
  })
})

test('without a proxy there is none to see to', async () => {
  expect(await found(new URL(upstream), forwarding)).toEqual({ noProxy: 'ok' })
})

test.each([
  ['that the forum does not trust', 'upstream', {}, { proxyUntrusted: 'bad', hostPassed: 'ok' }],
  ['that does not say who visitors are', 'trusting', { forwards: 'nothing' }, { notForwarded: 'bad', hostPassed: 'ok' }],
  ['that passes on what visitors forge', 'trusting', { forwards: 'passed' }, { forgedBelieved: 'bad', hostPassed: 'ok' }],
  ['that asks for a host of its own', 'trusting', { host: 'localhost:1' }, { forwarded: 'ok', hostWrong: 'warn' }],
] as const)('a proxy %s is found', async (_, to, options, expected) => {
  const site = await aSmallProxy({ upstream: to === 'trusting' ? trusting : upstream, ...options })
  expect(await found(site, forwarding)).toEqual(expected)
})

test('a scheme that the proxy does not tell is found', async () => {
  const site = await aSmallProxy({ upstream: trusting, certificate, forwards: 'nothing' })
  expect(await found(site, forwarding)).toMatchObject({ schemeWrong: 'warn' })
})

test('a proxy that cuts uploads at a megabyte is found, and one that cuts larger ones', async () => {
  const small = await aSmallProxy({ upstream, maxBytes: 1_000_000 })
  expect(await found(small, uploading)).toEqual({ uploadCut: 'bad' })
  const medium = await aSmallProxy({ upstream, maxBytes: 3_000_000 })
  expect(await found(medium, uploading)).toEqual({ uploadCut: 'bad' })
})

test('a proxy that holds back streams is found', async () => {
  const site = await aSmallProxy({ upstream, buffers: true })
  expect(await found(site, streaming)).toEqual({ streamBuffered: 'bad' })
})

test('a proxy that speaks HTTP/1.1 and takes out headers is found', async () => {
  const strips = ['content-security-policy', 'x-frame-options']
  const site = await aSmallProxy({ upstream, certificate, speaksHttp2: false, strips })
  expect(await found(site, encryption, firstPage)).toMatchObject({ http1: 'warn', headersMissing: 'bad' })
})

test.each([
  ['that ended a day ago', 90, -1.5, { word: 'certificateEnded', values: { days: 1 } }],
  ['that ends in thirteen days', 90, 13.5, { word: 'certificateEnding', values: { days: 13 } }],
  ['that ends in fourteen days', 90, 14.5, { word: 'certificateLasts', values: { days: 14 } }],
  ['of six days that is new', 6, 5, { word: 'certificateLasts', values: { days: 5 } }],
  ['of six days that was not renewed', 6, 1, { word: 'certificateEnding', values: { days: 1 } }],
])('a certificate %s is told of', (_, lifetime, left, expected) => {
  const now = Date.now()
  const after = (days: number) => new Date(now + days * 86_400_000)
  expect(certificateEnd({ beginsAt: after(left - lifetime), endsAt: after(left) }, now)).toMatchObject(expected)
})

test('an address without encryption that leads nowhere, or serves the forum, is found', async () => {
  const at = (url: string) => withDeadline(patienceMs(), (signal) => redirectOf(new URL(url), signal))
  expect(await at(`${upstream}/index`)).toMatchObject({ word: 'plainHttp', state: 'bad' })
  expect(await at('http://127.0.0.1:9/')).toMatchObject({ word: 'noPlainHttp', state: 'warn' })
  const redirecting = await serveJson(() => new Response(null, { status: 301, headers: { location: 'https://tea.example.org/' } }))
  expect(await at(redirecting.address)).toMatchObject({ word: 'redirects', state: 'ok' })
  await redirecting.close()
})

describe('on the way to the public address', () => {
  async function wordsAt(publicUrl: string, ca?: string): Promise<string[]> {
    const { ownerUrl, database, close } = await freshDatabase()
    const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: forum.dataDir, DATABASE_URL: ownerUrl }), publicUrl }
    const opened = await groundOfForum(config, database, { ca })
    await opened.close()
    await close()
    return opened.findings.map(({ word }) => word)
  }

  test('another program at the address is told from the forum', async () => {
    const other = await serveJson(() => ({ identity: 'guessed' }))
    expect(await wordsAt(other.address)).toContain('siteOther')
    await other.close()
    expect(await wordsAt('http://127.0.0.1:9')).toContain('siteAway')
    expect(await wordsAt(upstream)).toContain('siteOurs')
  })

  test('a certificate that browsers refuse is told of, and nothing is asked', async () => {
    const site = await aSmallProxy({ upstream, certificate })
    expect(await wordsAt(site.origin)).toContain('certificateUntrusted')
    expect(await wordsAt(site.origin, certificate.certificate)).toContain('siteOurs')
    const past = aCertificate('localhost', { from: -90, until: -1 })
    expect(await wordsAt((await aSmallProxy({ upstream, certificate: past })).origin, past.certificate)).toContain('certificateEnded')
  })
})
