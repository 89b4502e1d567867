import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { login, register } from '#account/contract.ts'
import { loginLog } from '#account/login-contract.ts'
import type { Database } from '#base/server/database/database.ts'
import { until } from '#base/testing/waits.ts'
import { addComment } from '#comment/contract.ts'
import { sendFile } from '#file/testing/factories.ts'
import words from '#file/words/en.json' with { type: 'json' }
import { says } from '#writing/testing/factories.ts'
import { visitorOn } from './connection.ts'
import type { OperatedForum } from './operated-forum.ts'
import type { Part } from './part.ts'
import { password, type People } from './people.ts'
import { startWriters } from './writers.ts'

type Round = {
  forum: OperatedForum
  /** Those that are restarted, in the order of a request. */
  parts: readonly Part[]
  people: People
  /** The encoding of pages for a browser that accepts all. */
  encoding?: 'br' | 'gzip'
}

const wantsPage = { 'accept-encoding': 'gzip, deflate, br, zstd', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The tests of every part: what visitors and members do through it, while it runs and while it is restarted. */
export async function goRound({ forum, parts, people, encoding = 'br' }: Round): Promise<void> {
  const { browser, member, topicId } = people
  const streamOf = (id: string) => `/api/comment/news?topicId=${id}`
  await leaveStream()

  async function leaveStream(): Promise<void> {
    const stream = await browser().listen(streamOf(topicId))
    expect(stream.headers[':status']).toBe(200)
    await until(async () => (await openStreams(forum)) > 0)
    stream.close()
  }

  test('the first page arrives compressed, and asked for again it is unchanged', async () => {
    const reader = browser()
    const page = await reader.send({ url: '/index', headers: wantsPage })
    expect([page.statusCode, page.headers['content-encoding']]).toEqual([200, encoding])
    expect((encoding === 'br' ? brotliDecompressSync : gunzipSync)(page.rawPayload).toString()).toContain('</html>')
    expect(page.headers['strict-transport-security']).toMatch(/^max-age=\d{7}/)
    const again = await reader.send({ url: '/index', headers: { ...wantsPage, 'if-none-match': String(page.headers.etag) } })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
  })

  test('the administration is there, with its scripts', async () => {
    const staff = browser()
    const page = await staff.send({ url: '/admin', headers: { accept: 'text/html' } })
    expect(page.statusCode).toBe(200)
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page.body) ?? []
    expect((await staff.send({ url: script })).statusCode).toBe(200)
  })

  test('a visitor registers, and the forum knows their address, not the one that they claim', async () => {
    const connection = browser()
    const visitor = visitorOn(connection)
    const form = { account: `by_${connection.ip.replaceAll('.', '_')}`, password, passwordAgain: password, agrees: true }
    const { systemUser, ...pair } = await visitor.call(register, form)
    visitor.pair = pair
    expect(systemUser.account).toBe(form.account)
    const claims = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'].map((name) => [
      name,
      '203.0.113.7',
    ])
    const forged = { ...Object.fromEntries(claims), forwarded: 'for=203.0.113.7;proto=http', 'x-forwarded-proto': 'http' }
    await visitor.call(login, { account: form.account, password }, forged)
    const { entries } = await visitor.call(loginLog, {})
    expect(entries.map(({ ip }) => ip)).toEqual([connection.ip, connection.ip])
  })

  test('a picture of 10 MB is accepted, and one of 12 MB is refused in words of the forum', async () => {
    const who = await member()
    const picture = await sendFile(who, '/file/picture', { bytes: await noise(1_825) })
    expect([picture.statusCode, picture.json()]).toMatchObject([200, { width: 1_825, height: 1_825 }])
    const larger = await sendFile(who, '/file/picture', { bytes: await noise(2_000) })
    expect([larger.statusCode, larger.json().error.picture]).toEqual([422, words.pictureTooLarge.replace('{megabytes, number}', '10')])
  })

  test('a comment reaches a reader of the topic before anything else is written to the stream', async () => {
    const [who, reader] = [await member(), await browser().listen(streamOf(topicId))]
    const before = reader.text().length
    for (const text of ['one', 'two', 'three']) {
      const { floor } = await who.call(addComment, { topicId, body: says(`A live comment, number ${text}`) })
      await until(() => reader.text().includes(`data: {"floors":${floor}}`))
    }
    // A part that keeps events back sends each with a heartbeat at the earliest. One may come by chance.
    expect(reader.text().slice(before).split('\n: ').length - 1).toBeLessThan(2)
    expect(reader.isClosed()).toBe(false)
    reader.close()
  })

  test('the forum hears that the reader of a stream has left', async () => {
    await until(async () => (await openStreams(forum)) === 0)
  })

  test('no acknowledged comment is lost or doubled while the part is reloaded and restarted', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, member))
    const writers = startWriters(people, topicId)
    await writers.more(1)
    for (const part of parts) {
      await part.reload()
      await writers.more(2)
      await part.stop()
      await part.start()
      await writers.more(2)
    }
    await expectStoredOnce(forum.database, await writers.stop())
  })
}

async function openStreams({ servers }: OperatedForum): Promise<number> {
  const counts = await Promise.all(servers.map((server) => server.streams()))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** A valid picture that no compression makes smaller: three bytes a pixel. */
async function noise(side: number): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 as const }
  return sharp(randomBytes(side * side * raw.channels), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** Each acknowledged comment is in the database, and no text is there twice. */
export async function expectStoredOnce({ app }: Database, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const rows = await app.selectFrom('comment').select(['id', 'text']).where('text', 'like', 'Poured by %').execute()
  const stored = new Map(rows.map(({ id, text }) => [id, text]))
  expect([...acknowledged].filter(([id, text]) => stored.get(id) !== text)).toEqual([])
  expect(new Set(stored.values()).size).toBe(rows.length)
  expect(acknowledged.size).toBeGreaterThan(0)
}
