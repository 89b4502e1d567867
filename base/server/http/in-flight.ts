import type { RouteOptions } from 'fastify'

export type InFlightRequests = {
  /** Sees to it that a route is counted: for the hook `onRoute`. */
  watch(route: RouteOptions): void
  /** Answers when every call that was begun has been answered. */
  ended(): Promise<void>
}

/** The calls that are being answered. A server that stops waits for connections, but not for a call whose client has gone. */
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
    async ended() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
