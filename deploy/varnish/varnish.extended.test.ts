import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { loginLog } from '#account/login-contract.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { until } from '#base/testing/waits.ts'
import { addComment } from '#comment/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { findProgram } from '../../tools/find-program.ts'
import { aCertificate } from '../testing/certificate.ts'
import { configure } from '../testing/configure.ts'
import type { Connection } from '../testing/connection.ts'
import { startNginx } from '../testing/nginx.ts'
import { anOperatedForum } from '../testing/operated-forum.ts'
import { aFolder, startPart } from '../testing/part.ts'
import { peopleThrough } from '../testing/people.ts'
import { goRound } from '../testing/round.ts'

// nginx for TLS, as the file says, then Varnish, then the forum.
const [folder, forum, port, plainPort, cachePort] = [
  aFolder(),
  await anOperatedForum(),
  await freePort(),
  await freePort(),
  await freePort(),
]
const file = join(folder, 'teahouse.vcl')
writeFileSync(file, configure('varnish/teahouse.vcl', [['.port = "3000";', `.port = "${forum.servers[0]?.port}";`]]))
const program = await findProgram('varnish')
const own = join(folder, 'varnish')
const admin = (...words: string[]) =>
  promisify(execFile)(join(dirname(program).replace(/sbin$/, 'bin'), 'varnishadm'), ['-n', own, ...words])
let loaded = 0
const cache = await startPart({
  program,
  args: ['-F', '-n', own, '-a', `127.0.0.1:${cachePort}`, '-f', file, '-s', 'malloc,128m'],
  port: cachePort,
  async reload() {
    const name = `reloaded_${++loaded}`
    await admin('vcl.load', name, file)
    await admin('vcl.use', name)
  },
})

const { certificate, key } = await aCertificate(folder)
const site = configure('nginx/one-server.conf', [
  ['server 127.0.0.1:3000;', `server 127.0.0.1:${cachePort};`],
  ['listen 80;', `listen 127.0.0.1:${plainPort};`],
  ['listen [::]:80;', `listen 127.0.0.2:${plainPort};`],
  ['listen 443 ', `listen 127.0.0.1:${port} `],
  ['listen [::]:443 ', `listen 127.0.0.2:${port} `],
  ['/etc/letsencrypt/live/tea.example.org/fullchain.pem', certificate],
  ['/etc/letsencrypt/live/tea.example.org/privkey.pem', key],
])
await startNginx(folder, site, port)
const people = await peopleThrough({ forum, port, trusted: certificate })
const { browser, member, otherTopicId: topicId } = people

const chinese = 'zh-CN,zh;q=0.9,en-US;q=0.8,en;q=0.7'

// What passes the cache is in brotli.
const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

/** A page as a browser asks for it that has been here: with the token of its calls, and with cookies of others. */
async function visit(who: Connection, url: string, { language = chinese, cookie = '' } = {}) {
  const cookies = [`cms_token=${who.ip}.token`, '_ga=GA1.1.7', cookie].filter(Boolean).join('; ')
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip, br', 'accept-language': language, cookie: cookies }
  const { statusCode, headers: answered, rawPayload } = await who.send({ url, headers })
  const decode = decoders[String(answered['content-encoding'])]
  const html = (decode ? decode(rawPayload) : rawPayload).toString()
  return { statusCode, html, isHit: answered['x-cache'] === 'hit', caching: String(answered['cache-control']) }
}

// The site leaves the language to browsers.
await transact(forum.database, (tx) => applySettings(tx, { defaultLanguage: '' }))

await goRound({ forum, parts: [cache], people, encoding: 'gzip' })

/** The addresses that a page links to. */
function linksIn(html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
  return [...new Set(links.filter((url) => !/^\/(api|admin|file|assets|language)/.test(url)))]
}

test('a second visit of the public pages by browsers with cms_token comes from the cache', async () => {
  const first = browser()
  const found = ['/index', ...linksIn((await visit(first, '/index')).html)]
  const visits = await Promise.all(found.map(async (url) => ({ url, ...(await visit(first, url)) })))
  const urls = visits.filter(({ statusCode, caching }) => statusCode === 200 && caching.includes('s-maxage=60')).map(({ url }) => url)
  expect(urls.length).toBeGreaterThan(20)
  const languages = ['zh-CN,zh;q=0.9', 'zh-Hans-CN, zh-Hans;q=0.9', 'zh', chinese]
  const again = await Promise.all(urls.map((url, n) => visit(browser(), url, { language: languages[n % languages.length] ?? '' })))
  expect(again.filter(({ isHit }) => isHit).length / urls.length).toBeGreaterThanOrEqual(0.95)
})

test('each language has its own page, by the choice of the reader, else by their browser', async () => {
  const languageOf = async (language: string, cookie = '') =>
    /<html[^>]* lang="(\w+)/.exec((await visit(browser(), '/index', { language, cookie })).html)?.[1]
  const languages = [
    await languageOf(chinese),
    await languageOf('de-DE,de;q=0.9'),
    await languageOf(chinese, 'language=en_US'),
    await languageOf('en-US', 'language=zh_CN'),
    await languageOf('en;q=0.5,zh;q=0.8'),
  ]
  expect(languages).toEqual(['zh', 'en', 'en', 'zh', 'zh'])
})

test('what is a member’s own is never kept', async () => {
  const [mei, tom] = [await member(), await member()]
  const own = await Promise.all([mei, tom].map((who) => who.call(loginLog, {})))
  expect(own[0]?.entries[0]?.ip).not.toBe(own[1]?.entries[0]?.ip)
  const { src } = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
  for (const url of [src, '/user/control/userLoginLogList', '/language?to=en_US&back=/index', '/api/baseInfo']) {
    const pages = [await visit(browser(), url), await visit(browser(), url)]
    expect(
      pages.map(({ isHit }) => isHit),
      url,
    ).toEqual([false, false])
  }
})

test('a comment is seen by its author at once, and by others once the kept page has expired', async () => {
  const [thread, text] = [`/thread?topicId=${topicId}`, 'The cup that a cache shows a minute late']
  const reader = browser()
  await until(async () => (await visit(reader, thread)).isHit)
  const author = await member()
  const { response } = await author.tryCall(addComment, { topicId, body: says(text) })
  const wrote = [response.headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
  const page = await visit(browser(), thread, { cookie: wrote.join('; ') })
  expect([page.html.includes(text), page.isHit]).toEqual([true, false])
  await until(async () => (await visit(reader, thread)).html.includes(text))
})
