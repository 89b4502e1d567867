import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import { isLoopbackName, isReachedFromNetwork } from '#base/server/http/site-address.ts'

/** Headers by which proxies, tunnels and networks of delivery say that they pass on a call. No browser sends any to a server. */
const forwardingHeader = new RegExp(
  [
    'forward|proxy|proxied|client-?ip|real-?ip|remote-?(ip|addr|host|user)|user-?ip|source-?ip|origin(al|ating)-?(ip|host|url)',
    '(^|-)via$|^cdn-|^max-forwards$|^surrogate-|^front-end-https$|^x-(host|scheme|url-scheme|from|coming-from)$|^x-request-(id|start)$',
    '^(x-)?(akamai|ali|amz|amzn|appengine|arr|azure|b3|bluecoat|cdn|cf|cloudfront|cluster|eagleeye|edge|envoy|fastly|fly|github|google|iinfo)-',
    '^(x-)?(incap|k8s|litespeed|ms|nf|ngrok|nginx|railway|render|rewrite|sucuri|tailscale|tencent|traefik|varnish|vercel|wl|zeabur)(-|$)',
    '^x-(real|ssl|client-(cert|verify)|auth-request|pomerium|geoip|country|cache|served-by|replaced-path|correlation-id|unique-id)(-|$)',
    '^x-https$|^early-data$|^eagleid$|^trace(parent|state)$',
  ].join('|'),
)

type Request = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'socket'>

export type LocalCalls = {
  /** Notes a request that something in front of the server has passed on. */
  observe(request: Request): void
  /** Whether the call comes from the machine of the server, to a site that no other machine reaches. */
  isLocal(request: Request): boolean
}

/**
 * Tells calls from the machine itself, as far as that can be told: the address of the peer is that of a proxy on this machine, which may add
 * no header, and put in a Host of its own. The first request with a sign of a proxy ends it for all calls until the next start. What gives
 * money asks for a proof beside it (the code of the sandbox).
 */
export function localCalls(onProxySeen: () => void = () => undefined): LocalCalls {
  let isProxySeen = false
  return {
    observe(request) {
      if (isProxySeen || isReachedFromNetwork() || isDirect(request)) return
      isProxySeen = true
      onProxySeen()
    },
    // A closed connection has no address, and a socket file, on which the server never listens, is the way of a proxy.
    isLocal: (request) => !isProxySeen && !isReachedFromNetwork() && isLoopback(request.socket.remoteAddress) && isDirect(request),
  }
}

// No browser speaks HTTP/1.0; nginx did towards a server until 1.29.7, where it is told no more than its address.
function isDirect({ headers, httpVersion }: Request): boolean {
  return isToLoopbackName(headers) && httpVersion !== '1.0' && !Object.keys(headers).some((name) => forwardingHeader.test(name))
}

function isToLoopbackName({ host }: IncomingHttpHeaders): boolean {
  return host !== undefined && isLoopbackName(host.replace(/:\d{1,5}$/, ''))
}
