import type { RouteOptions } from 'fastify'

export type InFlightRequests = {
  /** Counts the requests of a route: for the hook `onRoute`. */
  watch(route: RouteOptions): void
  /** Resolves when every request begun has been answered. */
  settled(): Promise<void>
}

/** Tracks requests in flight. A stopping server waits for connections, but not for a request whose client has disconnected. */
export function inFlightRequests(): InFlightRequests {
  const running = new Set<Promise<unknown>>()
  return {
    watch(route) {
      const { handler } = route
      route.handler = function counted(request, reply) {
        const answer: unknown = handler.call(this, request, reply)
        if (!(answer instanceof Promise)) return answer
        running.add(answer)
        const end = () => void running.delete(answer)
        answer.then(end, end)
        return answer
      }
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
