import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setInterval } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { smtp } from '#delivery/server/smtp.ts'

const email = { to: 'mei@example.com', subject: 'Tea', text: 'Tea', html: '<p>Tea</p>', key: 'tea' }
const proper: Record<string, string> = {
  '': '220 tea\r\n',
  EHLO: '250 tea\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  '.': '250 ok\r\n',
}

/** A mail server that works up to this command; then it begins an answer again and again, or stays silent. */
async function aServer(upTo: string, part: string) {
  const open = new Set<Promise<unknown>>()
  const server = createServer((socket) => {
    open.add(new Promise((resolve) => socket.once('close', resolve)))
    socket.on('error', () => undefined)
    let isInText = false
    const answer = (command: string) => {
      if (isInText && command !== '.') return
      isInText = command === 'DATA'
      if (command === upTo) void drip(socket, part)
      else socket.write(proper[command] ?? '250 ok\r\n')
    }
    answer('')
    createInterface({ input: socket }).on('line', (line) => answer(line.split(' ', 1)[0] ?? ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, left: () => Promise.all(open), close: () => server.close() }
}

async function drip(socket: Socket, part: string): Promise<void> {
  for await (const _ of setInterval(20, undefined, { ref: false })) {
    if (socket.destroyed) return
    socket.write(part)
  }
}

const server = { host: '127.0.0.1', security: 'none', user: '', password: '', name: 'Tea', from: 'tea@example.org', dkim: null } as const

test.each(
  Object.keys(proper).flatMap((command) => [
    [command, ''],
    [command, '250-more\r\n'],
    [command, 'x'],
  ]),
)('a mail server that stops at “%s”, saying “%s”, is left at the deadline', async (command, part) => {
  const bad = await aServer(command, part)
  try {
    expect(await smtp({ ...server, port: bad.port }, 200).send(email)).toMatchObject({ is: 'later' })
    await bad.left()
  } finally {
    bad.close()
  }
})

test('a correct server takes an e-mail', async () => {
  const good = await aServer('QUIT', '')
  try {
    expect(await smtp({ ...server, port: good.port }).send(email)).toMatchObject({ is: 'sent' })
  } finally {
    good.close()
  }
})
