import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { readConfig } from '#base/server/config.ts'
import { seal, unseal } from '#base/server/security/sealing.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { freezeTotpClock } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { testKey } from '#base/testing/database.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer, Staffer } from '#staff/testing/factories.ts'

const forum = await aForum({ isOneServer: true })
const db = forum.database.app
const folder = mkdtempSync(join(tmpdir(), 'teahouse-key-'))
const file = join(folder, 'key')
const log = pino({ level: 'silent' })

const start = (env: Record<string, string> = {}) => loadSealingKey({ config: readConfig({ TEAHOUSE_DATA: folder, ...env }), db, log })
const tool = (...args: string[]) => runCommand(args, readConfig({ DATABASE_URL: forum.ownerUrl, TEAHOUSE_DATA: folder }))

beforeEach(async () => {
  rmSync(file, { force: true })
  await db.deleteFrom('secret').where('name', '=', 'sealingKey').execute()
})

afterAll(() => rmSync(folder, { recursive: true }))

const place = { purpose: 'test', row: '1' }

test('an encrypted value opens at its own place alone, and not with one bit changed', async () => {
  await start()
  const box = seal(place, 'oolong')
  expect(unseal(place, box).toString()).toBe('oolong')
  expect(box.includes('oolong')).toBe(false)
  expect(seal(place, 'oolong')).not.toEqual(box)
  for (const other of [
    { ...place, row: '2' },
    { ...place, purpose: 'tests' },
    { purpose: 'test","1', row: '' },
  ])
    expect(() => unseal(other, box)).toThrow(/unable to authenticate/)
  for (let at = 0; at < box.length; at++) {
    const changed = Buffer.from(box)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => unseal(place, changed)).toThrow(/./)
  }
  for (const length of [0, 1, 12, 28, box.length - 1]) expect(() => unseal(place, box.subarray(0, length))).toThrow(/./)
})

test('the first start makes a key that only its owner reads, and the next takes it', async () => {
  await start()
  const box = seal(place, 'oolong')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, 'utf8')
  await start()
  expect(readFileSync(file, 'utf8')).toBe(key)
  expect(unseal(place, box).toString()).toBe('oolong')
})

test('many servers started at once all take one key', async () => {
  await Promise.all(Array.from({ length: 20 }, () => start()))
  const box = seal(place, 'oolong')
  await start()
  expect(unseal(place, box).toString()).toBe('oolong')
})

test('another key, a missing key and a file without one are refused with what to do', async () => {
  await start()
  const key = readFileSync(file, 'utf8')
  await expect(start({ TEAHOUSE_KEY: testKey })).rejects.toThrow('TEAHOUSE_KEY is not the key that this database was sealed with. Put')
  rmSync(file)
  await expect(start()).rejects.toThrow('with a key that is not here. Put the file back')
  writeFileSync(file, 'tea')
  await expect(start()).rejects.toThrow('holds no key of 32 bytes')
  writeFileSync(file, key)
  await start()
})

test('two servers started at once with different keys do not both continue', async () => {
  const keys = [testKey, Buffer.alloc(32, 'tea').toString('hex')]
  const outcomes = await Promise.allSettled(keys.map((key) => start({ TEAHOUSE_KEY: key })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('after the loss of the key the operator starts with another, and staff set up their second factor again', async () => {
  await start()
  const { helper } = await oneWithSecondFactor()
  rmSync(file)
  await expect(tool('key', 'forget')).rejects.toThrow('add --yes')
  await expect(tool('setting', 'list')).rejects.toThrow('with a key that is not here')
  expect(await tool('key', 'forget', '--yes')).toContain('1 of staff')
  await start()
  const again = Object.assign(new Staffer(forum.app), { account: helper.account, password: helper.password })
  await again.signIn()
})

async function oneWithSecondFactor(): Promise<{ helper: Staffer; secret: string }> {
  const helper = await aStaffer(forum, [])
  const { secret } = await helper.call(contract.beginSecondFactor, {})
  freezeTotpClock()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() - 30_000 })
  await helper.call(contract.confirmSecondFactor, { code })
  return { helper, secret }
}
