import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const leaving = new WeakSet<FastifyInstance>()

export function isShuttingDown(app: FastifyInstance): boolean {
  return leaving.has(app)
}

/**
 * Ends a server so that nobody who asks it is left without an answer: for so many seconds `/health` says that it leaves, and each answer is the last of its
 * connection, so that a load balancer sends nobody here any more; then what was asked is answered to its end.
 */
export async function shutDown(app: FastifyInstance, seconds: number): Promise<void> {
  leaving.add(app)
  app.server.maxRequestsPerSocket = 1
  await setTimeout(seconds * 1_000)
  await app.close()
}
