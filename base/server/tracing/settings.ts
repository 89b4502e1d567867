import { CannotStart } from '#base/server/cannot-start.ts'

export type Sampling = { followsParent: boolean; ratio: number }

export type TracingSettings = {
  endpoint: URL
  headers: Record<string, string>
  resource: Record<string, string>
  sampling: Sampling
  /** Whether the trusted proxies set `traceparent`: otherwise it may come from anyone. */
  trustsTraceparent: boolean
}

/** Settings of traces from the variables of OpenTelemetry; null if they are turned off. */
export function tracingSettings(env: NodeJS.ProcessEnv): TracingSettings | null {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return null
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/json'
  if (!protocol.startsWith('http/'))
    throw new CannotStart(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but traces are sent as http/json, which collectors take at port 4318.`,
    )
  return {
    endpoint: endpointOf(env),
    headers: pairsOf(env, env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ? 'OTEL_EXPORTER_OTLP_TRACES_HEADERS' : 'OTEL_EXPORTER_OTLP_HEADERS'),
    resource: {
      'service.name': 'teahouse',
      ...pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...(env['OTEL_SERVICE_NAME'] && { 'service.name': env['OTEL_SERVICE_NAME'] }),
    },
    sampling: samplingOf(env),
    trustsTraceparent: env['TEAHOUSE_TRACEPARENT'] === '1',
  }
}

function endpointOf(env: NodeJS.ProcessEnv): URL {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const text = own || (env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '').replace(/\/*$/, '/v1/traces')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol)) return url
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  throw new CannotStart(`${name} must be the address of a receiver of traces, such as http://localhost:4318.`)
}

/** `name=value,name=value`, with values as in addresses. Values may be secrets, so no message repeats them. */
function pairsOf(env: NodeJS.ProcessEnv, name: string): Record<string, string> {
  const pairs = (env[name] ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
      try {
        if (key !== '') return [key, decodeURIComponent(value.trim())]
      } catch {}
      throw new CannotStart(`${name} must be pairs with commas between them, such as name=value,other=value.`)
    }),
  )
}

function samplingOf(env: NodeJS.ProcessEnv): Sampling {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (!kind) throw new CannotStart(`OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, also with parentbased_ before it.`)
  const argument = env['OTEL_TRACES_SAMPLER_ARG'] || '1'
  const ratio = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : Number(argument)
  if (!(ratio >= 0 && ratio <= 1)) throw new CannotStart('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  return { followsParent: parent !== undefined, ratio }
}
