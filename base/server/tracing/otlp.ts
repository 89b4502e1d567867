import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import type { Log } from '#base/server/log.ts'
import type { Attributes } from '#base/server/tracing/trace.ts'
import type { TracingSettings } from '#base/server/tracing/settings.ts'

export type FinishedSpan = {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  kind: 'internal' | 'server' | 'client' | 'consumer'
  /** In microseconds since 1970. */
  beganAt: number
  endedAt: number
  attributes: Attributes
  hasFailed: boolean
}

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 }
const failed = 2
const maxQueued = 4_096
const maxBatch = 512
const everyMs = 2_000
const timeoutMs = 10_000
const lastTimeoutMs = 3_000

export type SpanExporter = { add(span: FinishedSpan): void; stop(): Promise<void> }

/** Sends spans in batches by OTLP over HTTP, as JSON. A receiver that is away costs spans, and never a request. */
export function spanExporter({ endpoint, headers, resource }: TracingSettings, version: string, log: Log): SpanExporter {
  const queued: FinishedSpan[] = []
  let sending: Promise<void> | null = null
  let isAway = false

  async function send(spans: readonly FinishedSpan[], limitMs: number): Promise<void> {
    const body = JSON.stringify(exportRequest(spans, resource, version))
    const all = { 'content-type': 'application/json', ...headers }
    const { status } = await fetchConfigured(endpoint, { method: 'POST', headers: all, body, timeoutMs: limitMs })
    if (status >= 300) throw new Error(`It answered ${status}`)
  }

  async function sendBatch(limitMs = timeoutMs): Promise<void> {
    const spans = queued.splice(0, maxBatch)
    if (spans.length === 0) return
    try {
      await send(spans, limitMs)
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error, receiver: endpoint.host }, 'Traces could not be sent, and are lost until the receiver answers')
      isAway = true
    }
  }

  async function sendAll(limitMs?: number): Promise<void> {
    do await sendBatch(limitMs)
    while (queued.length > 0 && !isAway)
  }

  // By the clock alone, which belongs to no span: otherwise the sending would be traced too.
  const timer = setInterval(() => {
    sending ??= sendAll().finally(() => (sending = null))
  }, everyMs).unref()
  return {
    add(span) {
      if (queued.length < maxQueued) queued.push(span)
    },
    async stop() {
      clearInterval(timer)
      await sending
      await sendAll(lastTimeoutMs)
    },
  }
}

function exportRequest(spans: readonly FinishedSpan[], resource: Attributes, version: string) {
  const scope = { name: 'teahouse', version }
  return { resourceSpans: [{ resource: { attributes: pairsOf(resource) }, scopeSpans: [{ scope, spans: spans.map(encode) }] }] }
}

function encode({ traceId, spanId, parentId, name, kind, beganAt, endedAt, attributes, hasFailed }: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId !== null && { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(beganAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: pairsOf(attributes),
    status: hasFailed ? { code: failed } : {},
  }
}

// As text: numbers of JSON do not hold so many digits.
function nanoseconds(microseconds: number): string {
  return `${Math.round(microseconds)}000`
}

function pairsOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string' ? { stringValue: value } : Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
  }))
}
