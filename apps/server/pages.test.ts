import fastify from 'fastify'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { Program } from '#apps/server/frontend.ts'
import { servePages } from '#apps/server/pages.ts'
import { note } from '#base/server/made-of.ts'
import { PageCache } from '#base/server/page-cache.ts'

const cache = new PageCache(1_000_000)
const app = fastify()
let leadsTo = '/index?tagId=1'
afterAll(() => app.close())

const program = {
  addresses: [{ path: '/moved', isPublic: true, publicWith: null, parameters: [] }],
  async render() {
    note(['tag:1'])
    return { redirect: leadsTo }
  },
} as unknown as Program

await servePages({
  app,
  cache,
  frontend: { program: async () => program, filesFor: () => ({ scripts: [], styles: [], preloads: [], theme: '' }) },
  read: () => Promise.reject(new Error('Nothing is read here')),
  site: async () => ({ title: 'Tea', description: '', defaultLanguage: 'en_US', supportAccessDevice: 1 }),
  publicUrl: 'https://tea.example.org',
  isBehindProxy: false,
  log: pino({ level: 'silent' }),
  headers: {},
})

test('a page that leads elsewhere says where, made or kept, until what it was made of changes', async () => {
  for (const _ of ['made', 'kept'])
    expect(await app.inject('/moved')).toMatchObject({ statusCode: 302, headers: { location: '/index?tagId=1' } })
  leadsTo = '/index?tagId=2'
  expect((await app.inject('/moved')).headers.location).toBe('/index?tagId=1')
  cache.drop(['tag:1'])
  expect((await app.inject('/moved')).headers.location).toBe('/index?tagId=2')
})
