import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { normalizeIp } from '#base/server/http/network.ts'
import { spanExporter, type FinishedSpan } from '#base/server/tracing/otlp.ts'
import { tracingSettings, type Sampling } from '#base/server/tracing/settings.ts'
import type { Attributes, SpanDescription, Tracer, TracingOptions } from '#base/server/tracing/trace.ts'

type Parent = { traceId: string; spanId: string; isSampled: boolean }
type Span = Omit<FinishedSpan, 'endedAt'> & { isSampled: boolean; /** The outermost one of this process. */ root: Span | null }

/** The tracer that the variables of OpenTelemetry describe; null if they turn traces off. */
export function openTracer({ trustProxy, log }: TracingOptions, env: NodeJS.ProcessEnv): Tracer | null {
  const settings = tracingSettings(env)
  if (!settings) return null
  const { sampling, trustsTraceparent } = settings
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  const resource = { 'service.version': version, 'service.instance.id': `${hostname()}:${process.pid}`, ...settings.resource }
  const exporter = spanExporter({ ...settings, resource }, version, log)
  const spans = new AsyncLocalStorage<Span>()
  const requests = new WeakMap<IncomingMessage, Span>()
  const parentOf = trustsTraceparent ? remoteParent(trustProxy) : () => null

  function begin(about: Pick<Span, 'name' | 'kind'> & { attributes?: Attributes | undefined }, remote: Parent | null = null): Span {
    const within = spans.getStore() ?? null
    const parent = within ?? remote
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    const isSampled = within?.isSampled ?? samples(sampling, traceId, remote)
    const spanId = randomBytes(8).toString('hex')
    const root = within && (within.root ?? within)
    const { name, kind, attributes } = about
    return {
      traceId,
      spanId,
      parentId: parent?.spanId ?? null,
      name,
      kind,
      beganAt: now(),
      attributes: { ...attributes },
      hasFailed: false,
      isSampled,
      root,
    }
  }

  function end({ isSampled, root: _, ...span }: Span): void {
    if (isSampled) exporter.add({ ...span, endedAt: now() })
  }

  async function run<T>(about: SpanDescription, work: () => Promise<T>): Promise<T> {
    const span = begin(about)
    try {
      return await spans.run(span, work)
    } catch (error) {
      span.hasFailed = true
      // Messages of the database hold values.
      span.attributes['error.type'] = typeOf(error)
      throw error
    } finally {
      end(span)
    }
  }

  return {
    run,
    part: (about, work) => (spans.getStore()?.isSampled ? run(about, work) : work()),
    request(request, response, answer) {
      const { method = '' } = request
      const span = begin({ name: method, kind: 'server', attributes: { 'http.request.method': method } }, parentOf(request))
      requests.set(request, span)
      response.once('close', () => {
        span.attributes['http.response.status_code'] = response.statusCode
        span.hasFailed = response.statusCode >= 500
        end(span)
      })
      spans.run(span, answer)
    },
    nameRequest(request, route) {
      const span = requests.get(request)
      if (!span) return
      span.name = `${request.method} ${route}`
      span.attributes['http.route'] = route
    },
    set(attributes) {
      Object.assign(spans.getStore()?.attributes ?? {}, attributes)
    },
    count(attribute) {
      const span = spans.getStore()
      const { attributes } = span?.root ?? span ?? { attributes: {} as Attributes }
      attributes[attribute] = Number(attributes[attribute] ?? 0) + 1
    },
    stop: () => exporter.stop(),
  }
}

function now(): number {
  return (performance.timeOrigin + performance.now()) * 1_000
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && error.code !== undefined ? String(error.code) : error.name
}

function samples({ followsParent, ratio }: Sampling, traceId: string, parent: Parent | null): boolean {
  if (parent && followsParent) return parent.isSampled
  return ratio === 1 || Number.parseInt(traceId.slice(-14), 16) / 2 ** 56 < ratio
}

/** The parent that a trusted proxy names in `traceparent` (W3C Trace Context). */
function remoteParent(trustProxy: readonly string[]): (request: IncomingMessage) => Parent | null {
  const proxies = new BlockList()
  for (const network of trustProxy) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return ({ headers, socket }) => {
    const [, traceId = '', spanId = '', flags = ''] =
      /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(String(headers['traceparent'] ?? '')) ?? []
    if (traceId === '') return null
    const peer = normalizeIp(socket.remoteAddress ?? '')
    if (!proxies.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return null
    return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
  }
}
