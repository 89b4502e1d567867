/** The balancer of visitors. A forum without its database still has pages for visitors, so the process alone is asked. */
export function balancerConfig(network: string, address: string): string {
  const servers = [1, 2, 3].map((n) => `  server tea${n} ${network}.1${n}:3000`).join('\n')
  return `
global
  maxconn 4000
defaults
  mode http
  option forwardfor
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  retries 3
  option redispatch 1
  # A forum that alone has lost its way to the database answers 503. Writes bear a key, so that a repeated one is done once.
  retry-on conn-failure empty-response 503
listen site
  bind ${address}:8080
  option httpchk GET /health/live
  default-server check inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
`
}
