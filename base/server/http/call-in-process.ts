import type { Endpoint, Output, RawInput } from '#base/contract.ts'
import { admission, type AssertSiteOpen } from '#base/server/http/admission.ts'
import type { ClientInfo, Viewer } from '#base/server/http/route.ts'
import type { Call, PreparedRoute } from '#base/server/http/serve.ts'

type Caller = { viewer: Viewer; client: ClientInfo }

/** Calls on behalf of somebody who came in by another way than the API. */
export type InProcessCalls = {
  /** Checks whether the caller may make this call now, and counts it. */
  admit(endpoint: Endpoint, caller: Caller): Promise<void>
  /** Makes the call as the API would: with the same checks, once its caller is known. */
  call<E extends Endpoint>(endpoint: E, input: RawInput<E>, caller: Caller): Promise<Output<E>>
}

export function inProcessCalls(servers: readonly PreparedRoute[], assertSiteOpen: AssertSiteOpen): InProcessCalls {
  const byPath = new Map(servers.map((server) => [keyOf(server.route.endpoint), server]))

  function serverOf(endpoint: Endpoint): PreparedRoute {
    const server = byPath.get(keyOf(endpoint))
    if (!server) throw new Error(`There is no call at ${endpoint.path}`)
    return server
  }

  return {
    async admit(endpoint, caller) {
      await admission(serverOf(endpoint), caller, assertSiteOpen)()
    },
    async call(endpoint, input, { viewer, client }) {
      const server = serverOf(endpoint)
      const body = { as: 'values', values: input as Record<string, unknown> } as const
      const call: Call = {
        viewer,
        client,
        readBody: async () => ({ body, upload: null }),
        idempotencyKey: null,
        setSecretCookie: () => undefined,
      }
      return JSON.parse(await server.answer(call, admission(server, call, assertSiteOpen)))
    },
  }
}

function keyOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}
