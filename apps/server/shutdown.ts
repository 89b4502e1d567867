import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const shuttingDown = new WeakSet<FastifyInstance>()

export function isShuttingDown(app: FastifyInstance): boolean {
  return shuttingDown.has(app)
}

/**
 * Shuts a server down without dropping a request: for so many seconds `/health` reports that it leaves and each answer closes its
 * connection, so that the load balancer moves on; then running requests are answered.
 */
export async function shutDown(app: FastifyInstance, seconds: number): Promise<void> {
  shuttingDown.add(app)
  app.server.maxRequestsPerSocket = 1
  await setTimeout(seconds * 1_000)
  await app.close()
}
