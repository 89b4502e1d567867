import type { LookupFunction } from 'node:net'
import { currentTracer, type Attributes } from '#base/server/tracing/trace.ts'

type Asked = { method?: string | undefined; lookup?: LookupFunction | undefined }

/** Sends a request as a span with its method, the other machine and the status: no path, which may hold secrets. */
export async function tracedRequest<Options extends Asked, Answer extends { statusCode?: number | undefined }>(
  at: URL,
  options: Options,
  send: (at: URL, options: Options) => Promise<Answer>,
): Promise<Answer> {
  const tracer = currentTracer()
  if (tracer === null) return send(at, options)
  const { method = 'GET', lookup } = options
  const port = Number(at.port) || (at.protocol === 'https:' ? 443 : 80)
  // An address with a lookup of its own came from a member.
  const machine: Attributes = lookup ? {} : { 'server.address': at.hostname, 'server.port': port }
  return tracer.part({ name: method, kind: 'client', attributes: { 'http.request.method': method, ...machine } }, async () => {
    const answer = await send(at, options)
    tracer.set({ 'http.response.status_code': answer.statusCode ?? 0 })
    return answer
  })
}
