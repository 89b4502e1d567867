import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Database } from '#base/server/database.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { written } from '#delivery/server/written.ts'

type Forum = { database: Database }

/** What came last to this address, where no provider is set. */
export async function lastTo({ database }: Forum, to: string, says = /./): Promise<string> {
  await sendAll({ database, log: pino({ level: 'silent' }) })
  return written().find((one) => one.to === to && says.test(one.text))?.text ?? ''
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
    onAuth: ({ username, password }, _, done) => {
      if (password === 'a-pot-of-tea') done(null, { user: username })
      else done(new Error('Wrong password'))
    },
    onRcptTo: ({ address }, _, done) => done(refusalOf(address)),
    onData: (stream, { envelope, user }, done) => {
      stream.once('end', done)
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
  return { received, port: (server.server.address() as AddressInfo).port, close: () => new Promise<void>((done) => server.close(done)) }
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

/** A header of an e-mail, on one line. */
export function headerOf(raw: Buffer, name: string): string {
  const [head = ''] = raw.toString().split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2) ?? ''
}
