import type { IncomingMessage, ServerResponse } from 'node:http'

// Up to this size draining costs less than a new connection.
const maxKeepAliveBytes = 1024 * 1024
const maxDrainBytes = 64 * 1024 * 1024
const drainTimeoutMs = 10_000

/** Whether so much of the body is unread that the connection should close with the answer. */
export function shouldCloseConnection(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return !request.complete && (encoding !== undefined || Number(length ?? 0) > maxKeepAliveBytes)
}

/**
 * Drains an unread body after the answer: otherwise the next request on the connection is never read, or the answer is lost when the
 * connection closes while the client still sends.
 */
export function drainUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return
  // Before Node's own listener, which would close the connection at once after `connection: close`.
  response.prependOnceListener('finish', () => {
    if (!request.readableEnded && request.socket.writable) drain(request)
  })
}

function drain(request: IncomingMessage): void {
  const { socket } = request
  const end = socket.destroySoon.bind(socket)
  const timer = setTimeout(() => socket.destroy(), drainTimeoutMs)
  let left = maxDrainBytes
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
  // Half-closes: the client sees the end of the answer, and the server goes on reading.
  socket.destroySoon = () => socket.end()
  request.resume()
}
