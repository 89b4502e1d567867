import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeEach } from 'vitest'
import { transact, type Database } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { send, type OutboundMessage } from '#delivery/server/delivery.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { outbox } from '#delivery/server/outbox.ts'
import type { SealedSetting, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

type Forum = { database: Database }

const inOutbox = { emailProvider: 'outbox', smsProvider: 'outbox' } as const satisfies Partial<Settings>

/** Stores everything that a forum sends where tests read it. */
export async function chooseOutbox({ database }: Forum): Promise<void> {
  await transact(database, (tx) => applySettings(tx, inOutbox))
}

/** The last message to this address in the outbox. */
export async function lastTo({ database }: Forum, to: string, says = /./): Promise<string> {
  await sendAll({ database, log: pino({ level: 'silent' }) })
  return outbox().find((one) => one.to === to && says.test(one.text))?.text ?? ''
}

export async function codeTo(forum: Forum, to: string): Promise<string> {
  const [code] = /\d{6}/.exec(await lastTo(forum, to, /\d{6}/)) ?? []
  if (!code) throw new Error(`No code came to ${to}`)
  return code
}

export type Received = { from: string; to: string[]; raw: Buffer; user: string | null }

/** A real mail server of the test's own. */
export async function aMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, callback) => {
      if (password === 'a-pot-of-tea') callback(null, { user: username })
      else callback(new Error('Wrong password'))
    },
    onRcptTo: ({ address }, _, callback) => callback(refusalOf(address)),
    onData: (stream, { envelope, user }, callback) => {
      stream.once('end', callback)
      void buffer(stream).then((raw) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, user: user ? String(user) : null })
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    received,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function refusalOf(address: string): Error | null {
  const responseCode = { gone: 550, busy: 451 }[address.split('@')[0] ?? '']
  return responseCode ? Object.assign(new Error('Not here'), { responseCode }) : null
}

/** The decoded text of one part of an e-mail. */
export function partOf(raw: Buffer, type: string): string {
  const part =
    raw
      .toString()
      .split(/^--.*$/m)
      .find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
  const [head = '', ...body] = part.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  return /base64/.test(head)
    ? Buffer.from(text, 'base64').toString()
    : text.replace(/=\r\n/g, '').replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
}

export function headerOf(raw: Buffer, name: string): string {
  const [head = ''] = raw.toString().split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2) ?? ''
}

/** A forum that sends by a mail server of its own, each time with nothing sent before. */
export async function aSendingForum() {
  const forum = await aForum({ isOneServer: true })
  const db = forum.database.app
  const mail = await aMailServer()
  afterAll(() => mail.close())

  async function set(values: Partial<Settings>): Promise<void> {
    await transact(forum.database, (tx) => applySettings(tx, values))
  }
  const seal = (name: SealedSetting, text: string) => transact(forum.database, (tx) => setting.changeSealed(tx, name, text, 'test'))

  beforeEach(async () => {
    mail.received.length = 0
    await db.deleteFrom('delivery').execute()
    await db.deleteFrom('attempt').execute()
    await set({ ...byMail, smtpPort: mail.port })
    await seal('dkimKey', '')
  })

  return {
    forum,
    db,
    mail,
    ground: { database: forum.database, log: pino({ level: 'silent' }) },
    set,
    seal,
    order: (more: Partial<OutboundMessage> = {}) =>
      transact(forum.database, (tx) => send(tx, { effectKey: randomUUID(), ...aCode, ...more })),
    states: async () => (await db.selectFrom('delivery').select('state').orderBy('id').execute()).map(({ state }) => state),
    itsTime: () =>
      db
        .updateTable('delivery')
        .set({ next_at: sql`now()` })
        .execute(),
  }
}

const byMail = {
  emailProvider: 'smtp',
  emailFrom: 'tea@example.org',
  smtpHost: '127.0.0.1',
  smtpSecurity: 'none',
  smtpUser: '',
  dkimSelector: '',
  emailsPerDay: 100,
  smsProvider: 'outbox',
  smsCountries: ['86 100', '8613700 0'],
  smsPerDay: 100,
  title: '茶馆 Teahouse',
} as const satisfies Partial<Settings>

export const aCode = {
  channel: 'email',
  to: 'mei@example.com',
  template: 'code',
  values: { code: '123456', minutes: '10' },
  language: 'en',
} as const
