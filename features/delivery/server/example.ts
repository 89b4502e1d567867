import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

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
