import type { IncomingMessage, ServerResponse } from 'node:http'

// Up to here reading on costs less than a new connection.
const mostForAnother = 1024 * 1024
const mostAtTheEnd = 64 * 1024 * 1024
const longestMs = 10_000

/** Whether so much of a body is still to come that the connection had better end with the answer. */
export function endsConnection(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return !request.complete && (encoding !== undefined || Number(length ?? 0) > mostForAnother)
}

/**
 * Reads on where an answer goes out before the body of its request was read, and throws away what comes: otherwise the next request on the same
 * connection is never heard, or the answer is lost with a connection that ends in the middle of what the client says.
 */
export function readUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return
  // Before Node, which would end the connection at once where the answer says that it ends.
  response.prependOnceListener('finish', () => {
    if (!request.readableEnded && request.socket.writable) readToEnd(request)
  })
}

function readToEnd(request: IncomingMessage): void {
  const { socket } = request
  const end = socket.destroySoon.bind(socket)
  const timer = setTimeout(() => socket.destroy(), longestMs)
  let left = mostAtTheEnd
  request.unpipe()
  request.removeAllListeners('data')
  request.on('data', ({ length }: Buffer) => {
    left -= length
    if (left < 0) socket.destroy()
  })
  request.once('end', () => {
    socket.destroySoon = end
    if (socket.writableEnded) end()
  })
  request.once('close', () => clearTimeout(timer))
  // The client hears that nothing more is said, and we go on hearing the client.
  socket.destroySoon = () => socket.end()
  request.resume()
}
