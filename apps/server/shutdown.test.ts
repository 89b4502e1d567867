import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { register } from '#account/contract.ts'
import { readConfig } from '#base/server/config.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { Person } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { until } from '#base/testing/waits.ts'
import { saveDraft } from '#draft/contract.ts'

test('a stopping forum finishes its begun work, even for a client that has gone', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
  await database.app.transaction().execute((tx) => applySettings(tx, { registerCaptcha: false, ...lenientSettings }))
  const app = await openApp({ config: { ...readConfig({ TEAHOUSE_KEY: testKey }), development: false }, database, log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const mei = await aPerson(app)
  const outside = new pg.Client({ connectionString: ownerUrl })
  await outside.connect()

  await outside.query('begin; lock table access_token in access exclusive mode')
  const line = await sends(app, mei)
  await expect.poll(async () => (await outside.query(`select from pg_locks where not granted`)).rowCount).toBe(1)
  line.destroy()
  await once(line, 'close')
  const stopped = app.close().then(() => database.close())
  await until(() => !app.server.listening)
  await outside.query('commit')
  await stopped

  expect(logged).toEqual([])
  expect((await outside.query('select from draft')).rowCount).toBe(1)
  await outside.end()
  await close()
})

type App = Awaited<ReturnType<typeof openApp>>

async function aPerson(app: App): Promise<Person> {
  const mei = new Person(app)
  const words = { hintQuestion: 'Which tea in the morning?', hintAnswer: 'Longjing, always' }
  const { password } = mei
  mei.pair = await mei.call(register, { account: 'mei', password, passwordAgain: password, ...words, agrees: true })
  return mei
}

/** Sends a draft on a connection of its own. */
async function sends(app: App, mei: Person) {
  const { port } = app.server.address() as AddressInfo
  const content = JSON.stringify({ text: null, fields: { title: 'Half a thought' } })
  const body = new URLSearchParams({ place: 'topic', content, writer: 'writer-phone' }).toString()
  const headers = { ...mei.headers('POST'), host: `127.0.0.1:${port}`, 'content-length': String(body.length) }
  const line = connect(port, '127.0.0.1')
  await once(line, 'connect')
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  line.write(`POST /api${saveDraft.path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  return line
}
