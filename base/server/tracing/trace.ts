import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '#base/server/log.ts'

export type Attributes = Record<string, string | number>

/** One step of a trace, as OpenTelemetry has them. No attribute may hold what members write, or who they are. */
export type SpanDescription = { name: string; kind: 'internal' | 'client' | 'consumer'; attributes?: Attributes }

export type Tracer = {
  /** Runs work as a span of its own trace, or as a part of the span at hand. */
  run<T>(about: SpanDescription, work: () => Promise<T>): Promise<T>
  /** The same inside a recorded span; elsewhere the work alone. */
  part<T>(about: SpanDescription, work: () => Promise<T>): Promise<T>
  request(request: IncomingMessage, response: ServerResponse, answer: () => void): void
  nameRequest(request: IncomingMessage, route: string): void
  /** Adds to the span at hand, or counts in the outermost one. */
  set(attributes: Attributes): void
  count(attribute: string): void
  stop(): Promise<void>
}

let tracer: Tracer | null = null

export type TracingOptions = { trustProxy: readonly string[]; log: Log }

/** Sends traces if the variables of OpenTelemetry name a receiver; otherwise loads nothing. The returned function sends the last ones. */
export async function startTracing(options: TracingOptions, env: NodeJS.ProcessEnv = process.env): Promise<() => Promise<void>> {
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) return async () => undefined
  const { openTracer } = await import('#base/server/tracing/tracer.ts')
  const opened = openTracer(options, env)
  tracer = opened
  return async () => {
    tracer = null
    await opened?.stop()
  }
}

/** Runs work that others may have caused, or nobody, such as a job. */
export function traced<T>(about: SpanDescription, work: () => Promise<T>): Promise<T> {
  return tracer === null ? work() : tracer.run(about, work)
}

/** The same for a part of something that is recorded. */
export function tracedPart<T>(about: SpanDescription, work: () => Promise<T>): Promise<T> {
  return tracer === null ? work() : tracer.part(about, work)
}

/** The tracer where one is in use, for what runs so often that even its description costs. */
export function currentTracer(): Tracer | null {
  return tracer
}
