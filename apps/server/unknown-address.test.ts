import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import en from '#base/words/site/en.json' with { type: 'json' }
import zh from '#base/words/site/zh.json' with { type: 'json' }

const forum = await aForum({ openFrontend: renderedFrontend, isOneServer: true })
const page = async (url: string, cookie = '') => (await forum.app.inject({ url, headers: { cookie } })).body

test('an unknown address leads to the index, and there to the note that says so', async () => {
  const answer = await forum.app.inject('/no/such/page?x=1')
  expect(answer).toMatchObject({ statusCode: 302, headers: { location: '/index#elsewhere' } })
  const index = await page('/index')
  expect(index).toMatch(new RegExp(`<p id="elsewhere"[^>]*>${zh.elsewhere}</p>`))
  expect(index).toMatch(/<link rel="canonical" href="[^"]*\/index">/)
})

test.each([
  ['GET', '/.well-known/oauth-protected-resource', '*/*'],
  ['GET', '/.well-known/openid-configuration?x=1', 'text/html'],
  ['GET', '/no/such/page', 'application/json, text/plain, */*'],
  ['GET', '/no/such/page', 'text/event-stream'],
  ['GET', '/no/such/page', 'application/ld+json'],
  ['GET', '/', 'application/json'],
  ['POST', '/register', 'application/json'],
] as const)('a program that asks %s %s and takes %s gets a 404 in JSON', async (method, url, accept) => {
  const answer = await forum.app.inject({ method, url, headers: { accept } })
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toContain('application/json')
  expect(answer.json()).toEqual({ message: expect.any(String) })
})

test('a browser is redirected to the index, whatever else it accepts', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.7'
  expect((await forum.app.inject({ url: '/no/such/page', headers: { accept } })).statusCode).toBe(302)
})

test('a page carries the offer of the other language in that language, on a site of two', async () => {
  const speaks = (languages: Settings['languages']) => transact(forum.database, (tx) => setting.change(tx, 'languages', languages, 'test'))
  expect(await page('/index')).toMatch(new RegExp(`<aside [^>]*lang="en">${zh.alsoIn}`))
  expect(await page('/index', 'language=en_US')).toMatch(new RegExp(`<aside [^>]*lang="zh-CN">${en.alsoIn}`))
  await speaks(['zh_CN'])
  expect(await page('/index')).not.toContain(zh.alsoIn)
  await speaks(['zh_CN', 'en_US'])
})
