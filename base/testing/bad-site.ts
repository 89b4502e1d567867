import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setInterval } from 'node:timers/promises'

type Answer = (socket: Socket) => unknown

/** Sends bytes until the connection is closed: `drips` a few at a time, `floods` as fast as possible. */
const drips = (text: string) => async (socket: Socket) => {
  for await (const _ of setInterval(20, undefined, { ref: false })) {
    if (socket.destroyed) return
    socket.write(text)
  }
}
const floods = (text: string) => (socket: Socket) => {
  const many = text.repeat(Math.ceil(10_000 / text.length))
  const more = () => {
    while (!socket.destroyed && socket.write(many));
  }
  socket.on('drain', more)
  more()
}
const requestLine =
  (text: string, then: Answer = () => undefined): Answer =>
  (socket) => {
    socket.write(text)
    return then(socket)
  }
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', 'content-type: text/html', ...lines, '', ''].join('\r\n')
const upgraded = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n'

/** The ways in which a site can misbehave after a request. */
export const misbehaviours = {
  'says nothing': () => undefined,
  'hangs up': (socket) => socket.end(),
  'tears the line': (socket) => socket.resetAndDestroy(),
  'switches protocols, and says nothing': requestLine(upgraded),
  'switches protocols, and drips': requestLine(upgraded, drips('x')),
  'switches protocols, and floods': requestLine(upgraded, floods('x')),
  'switches protocols, and hangs up': requestLine(upgraded, (socket) => socket.end()),
  'switches protocols without a name': requestLine('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'says to go on, for ever and slowly': drips('HTTP/1.1 100 Continue\r\n\r\n'),
  'says to go on, for ever and fast': floods('HTTP/1.1 100 Continue\r\n\r\n'),
  'is processing, for ever': floods('HTTP/1.1 102 Processing\r\n\r\n'),
  'gives hints, for ever': floods('HTTP/1.1 103 Early Hints\r\nlink: </tea>\r\n\r\n'),
  'drips its first line': drips('H'),
  'has a first line without end': requestLine('HTTP/1.1 200 ', floods('OK')),
  'drips its headers': requestLine('HTTP/1.1 200 OK\r\n', drips('x-tea: 1\r\n')),
  'drips one header': requestLine('HTTP/1.1 200 OK\r\nx-tea: ', drips('x')),
  'has headers without end': requestLine('HTTP/1.1 200 OK\r\n', floods('x-tea: 1\r\n')),
  'stops within its headers': requestLine('HTTP/1.1 200 OK\r\nx-tea: '),
  'drips its body': requestLine(head('content-length: 100000'), drips('x')),
  'drips a body of no length': requestLine(head('connection: close'), drips('x')),
  'drips the pieces of its body': requestLine(head('transfer-encoding: chunked'), drips('1\r\nx\r\n')),
  'drips the length of a piece': requestLine(head('transfer-encoding: chunked'), drips('0')),
  'drips what describes a piece': requestLine(head('transfer-encoding: chunked', '', '1'), drips(';x')),
  'drips its trailers': requestLine(head('transfer-encoding: chunked') + '1\r\nx\r\n0\r\n', drips('x-tea: 1\r\n')),
  'has trailers without end': requestLine(head('transfer-encoding: chunked') + '1\r\nx\r\n0\r\n', floods('x-tea: 1\r\n')),
  'stops within its body': requestLine(head('content-length: 100000') + 'x'),
  'hangs up within its body': requestLine(head('content-length: 100000') + 'x', (socket) => socket.end()),
  'leads elsewhere, with a body that drips': requestLine(
    'HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 100000\r\n\r\n',
    drips('x'),
  ),
  'leads to itself': requestLine('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'),
  'asks for a name, and says no more': requestLine('HTTP/1.1 401 Unauthorized\r\ncontent-length: 5\r\n\r\n'),
  'waits to be asked again': requestLine('HTTP/1.1 408 Request Timeout\r\n'),
  'speaks another protocol': requestLine('SSH-2.0-tea\r\n'),
  'speaks another protocol without end': floods('tea'),
  'speaks of another version': requestLine('\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64'),
} satisfies Record<string, Answer>

export type Misbehaviour = keyof typeof misbehaviours

/** A misbehaving site, which tracks the open connections of its clients. */
export async function aBadSite(misbehaviour: Misbehaviour) {
  const open = new Set<Socket>()
  const asked = new Set<Socket>()
  let requests = 0
  let mostAtOnce = 0
  const server = createServer((socket) => {
    open.add(socket)
    mostAtOnce = Math.max(mostAtOnce, open.size)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.once('data', () => {
      requests++
      asked.add(socket)
      const answer: Answer = misbehaviours[misbehaviour]
      void answer(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return requests
    },
    get mostAtOnce() {
      return mostAtOnce
    },
    /** Resolves when all clients have disconnected. */
    async left(): Promise<void> {
      await Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
    /** Breaks the connections of all requests. */
    hangUp() {
      for (const socket of asked) socket.destroy()
      asked.clear()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
