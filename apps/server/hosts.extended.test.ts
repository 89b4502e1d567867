import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readAddress } from '#base/server/database/address.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { startProxy } from '#base/testing/database-proxy.ts'
import { freePort } from '#base/testing/free-port.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { aWholeServer, aWriter, isStandby, writingDuring } from '#base/testing/whole-server.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, publishTopic } from '#topic/contract.ts'
import { says } from '#writing/testing/factories.ts'

// A pair of real servers. A proxy gives each a port, as machines of a network have.
const folder = mkdtempSync(join(tmpdir(), 'teahouse-hosts-'))
const pair = await replicatedDatabase(folder)
const [one, two] = await Promise.all([startProxy(pair.ownerUrl), startProxy(pair.replicaUrl)])
const { username, password } = new URL(pair.ownerUrl)
const silent = createServer((socket) => void silentSockets.add(socket)).listen(0, '127.0.0.1')
const silentSockets = new Set<Socket>()
await once(silent, 'listening')
const silentPort = (silent.address() as AddressInfo).port
afterAll(async () => {
  for (const socket of silentSockets) socket.destroy()
  silent.close()
  one.close()
  two.close()
  await pair.stop()
  rmSync(folder, { recursive: true, force: true })
})

function addressOf(...ports: number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return readAddress(`postgresql://${username}:${password}@${hosts}/postgres`, 'primary')
}

test.each([
  ['a standby', async () => two.port],
  ['dead', freePort],
  ['silent', async () => silentPort],
])('with a first host that is %s, every connection goes to the primary', async (_, firstPort) => {
  const ownerUrl = addressOf(await firstPort(), one.port)
  const owner = await connectAsOwner(ownerUrl)
  await owner.query('create table if not exists written (at int)')
  await owner.end()
  const database = openDatabase(addressesOf(ownerUrl), { onLost: () => undefined })
  try {
    await database.invalidations.listen(() => undefined)
    for (const db of [database.app, database.primaryReader, database.longRunning.app]) expect(await isStandby(db)).toBe(false)
  } finally {
    await database.close()
  }
})

test('a standby alone is refused at the start, by name', async () => {
  await expect(connectAsOwner(addressOf(two.port))).rejects.toThrow(`PostgreSQL at 127.0.0.1:${two.port} is a standby, in recovery`)
})

test('a switchover under writers loses nothing that was acknowledged and doubles nothing', async () => {
  const both = addressOf(one.port, two.port)
  const server = await aWholeServer(folder, { DATABASE_URL: both, DATABASE_REPLICA_URL: both })
  try {
    await until(() => isStandby(server.database.reader))
    const { acknowledged, stored, others } = await writingDuring(server, 'Switchover', pair.switchOver)
    expect(stored).toEqual(acknowledged)
    expect([...others]).toEqual([])
    expect(await isStandby(server.database.app)).toBe(false)
    // The machine that was the primary is the replica.
    await until(() => isStandby(server.database.reader))
    await until(async () => (await server.health()).replica === 'up')
  } finally {
    await server.close()
    await pair.switchOver()
  }
})

test('a single host that became a standby is named in the log and in /health, pages stay, and writes return by themselves', async () => {
  const server = await aWholeServer(folder, { DATABASE_URL: addressOf(one.port) })
  try {
    const tagId = await aTag(server.database, { name: 'Alone' })
    const mei = await aWriter(server.app, 'lone_mei')
    const publish = (title: string) => mei.tryCall(publishTopic, { tagId, title, body: says('Tea.') })
    const titles = async () => (await new Visitor(server.app).call(listTopics, { tagId })).topics.map(({ title }) => title)
    expect((await publish('First')).status).toBe(200)
    expect(await titles()).toEqual(['First'])
    await pair.switchOver()
    await until(async () => (await server.health()).database === 'standby')
    const refused = await publish('Never')
    expect([refused.status, Number(refused.response.headers['retry-after'])]).toEqual([503, expect.any(Number)])
    expect(await titles()).toEqual(['First'])
    expect((await server.app.inject('/health')).statusCode).toBe(503)
    expect(server.logged('Writes wait for a primary')).toEqual([expect.stringContaining(`127.0.0.1:${one.port} is a standby`)])
    await pair.switchOver()
    await until(async () => (await server.health()).database === 'up')
    expect((await publish('Second')).status).toBe(200)
    expect(server.logged('A primary answers again')).not.toEqual([])
  } finally {
    await server.close()
  }
})

test('a replica that is the primary alone is no error', async () => {
  const server = await aWholeServer(folder, { DATABASE_URL: addressOf(one.port), DATABASE_REPLICA_URL: addressOf(one.port) })
  try {
    expect(await isStandby(server.database.reader)).toBe(false)
    await until(async () => (await server.health()).replica === 'up')
  } finally {
    await server.close()
  }
})
