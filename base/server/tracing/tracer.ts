import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { networkMatcher, normalizeIp } from '#base/server/http/network.ts'
import { programVersion } from '#base/server/program-version.ts'
import { spanExporter, type FinishedSpan, type SpanExporter } from '#base/server/tracing/otlp.ts'
import { tracingSettings, type Sampling } from '#base/server/tracing/settings.ts'
import type { Attributes, SpanDescription, Tracer, TracingOptions } from '#base/server/tracing/trace.ts'

type Parent = { traceId: string; spanId: string; isSampled: boolean }
type Span = Omit<FinishedSpan, 'endedAt'> & { isSampled: boolean; /** The outermost one of this process. */ root: Span | null }

type Begun = Pick<Span, 'name' | 'kind'> & { attributes?: Attributes | undefined }

/** The tracer that the variables of OpenTelemetry describe; null if they turn traces off. */
export function openTracer({ trustProxy, log }: TracingOptions, env: NodeJS.ProcessEnv): Tracer | null {
  const settings = tracingSettings(env)
  if (!settings) return null
  const resource = { 'service.version': programVersion, 'service.instance.id': `${hostname()}:${process.pid}`, ...settings.resource }
  const parentOf = settings.trustsTraceparent ? remoteParent(trustProxy) : () => null
  return new SpanTracer(settings.sampling, spanExporter({ ...settings, resource }, programVersion, log), parentOf)
}

class SpanTracer implements Tracer {
  readonly #current = new AsyncLocalStorage<Span>()
  readonly #requests = new WeakMap<IncomingMessage, Span>()
  readonly #sampling: Sampling
  readonly #exporter: SpanExporter
  readonly #parentOf: (request: IncomingMessage) => Parent | null

  constructor(sampling: Sampling, exporter: SpanExporter, parentOf: (request: IncomingMessage) => Parent | null) {
    this.#sampling = sampling
    this.#exporter = exporter
    this.#parentOf = parentOf
  }

  async run<T>(about: SpanDescription, work: () => Promise<T>): Promise<T> {
    const span = this.#begin(about)
    try {
      return await this.#current.run(span, work)
    } catch (error) {
      span.hasFailed = true
      // Messages of the database hold values.
      span.attributes['error.type'] = typeOf(error)
      throw error
    } finally {
      this.#end(span)
    }
  }

  part<T>(about: SpanDescription, work: () => Promise<T>): Promise<T> {
    return this.#current.getStore()?.isSampled ? this.run(about, work) : work()
  }

  request(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const { method = '' } = request
    const span = this.#begin({ name: method, kind: 'server', attributes: { 'http.request.method': method } }, this.#parentOf(request))
    this.#requests.set(request, span)
    response.once('close', () => {
      span.attributes['http.response.status_code'] = response.statusCode
      span.hasFailed = response.statusCode >= 500
      this.#end(span)
    })
    this.#current.run(span, answer)
  }

  nameRequest(request: IncomingMessage, route: string): void {
    const span = this.#requests.get(request)
    if (!span) return
    span.name = `${request.method} ${route}`
    span.attributes['http.route'] = route
  }

  set(attributes: Attributes): void {
    Object.assign(this.#current.getStore()?.attributes ?? {}, attributes)
  }

  count(attribute: string): void {
    const span = this.#current.getStore()
    const outermost = span?.root ?? span
    if (outermost) outermost.attributes[attribute] = Number(outermost.attributes[attribute] ?? 0) + 1
  }

  stop(): Promise<void> {
    return this.#exporter.stop()
  }

  #begin({ name, kind, attributes }: Begun, remote: Parent | null = null): Span {
    const within = this.#current.getStore() ?? null
    const parent = within ?? remote
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    return {
      traceId,
      spanId: randomBytes(8).toString('hex'),
      parentId: parent?.spanId ?? null,
      name,
      kind,
      beganAt: now(),
      attributes: { ...attributes },
      hasFailed: false,
      isSampled: within?.isSampled ?? samples(this.#sampling, traceId, remote),
      root: within && (within.root ?? within),
    }
  }

  #end(span: Span): void {
    if (span.isSampled) this.#exporter.add({ ...span, endedAt: now() })
  }
}

function now(): number {
  return (performance.timeOrigin + performance.now()) * 1_000
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function samples({ followsParent, ratio }: Sampling, traceId: string, parent: Parent | null): boolean {
  if (parent && followsParent) return parent.isSampled
  return ratio === 1 || Number.parseInt(traceId.slice(-14), 16) / 2 ** 56 < ratio
}

/** The parent that a trusted proxy names in `traceparent` (W3C Trace Context). */
function remoteParent(trustProxy: readonly string[]): (request: IncomingMessage) => Parent | null {
  const isTrusted = networkMatcher(trustProxy)
  return ({ headers, socket }) => {
    const [, traceId = '', spanId = '', flags = ''] =
      /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/.exec(String(headers['traceparent'] ?? '')) ?? []
    if (traceId === '') return null
    if (!isTrusted(normalizeIp(socket.remoteAddress ?? ''))) return null
    return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
  }
}
