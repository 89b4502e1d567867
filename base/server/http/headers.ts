import type { ObjectStore } from '#base/server/config.ts'

type HeaderOptions = {
  https: boolean
  isDevelopment: boolean
  /** The store to which browsers upload large files. */ store?: ObjectStore | null
}

/** Headers of API answers, which show nothing: no sources, no framing, no sniffing. */
export function callHeaders({ https }: Pick<HeaderOptions, 'https'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(https && strictTransport),
  }
}

/** Headers of pages and files. Without inline scripts the policy needs no nonce, so whole pages can be cached. */
export function securityHeaders({ https, isDevelopment, store = null }: HeaderOptions): Record<string, string> {
  return {
    'content-security-policy': (isDevelopment ? looserPolicy : policy).replace(
      "connect-src 'self'",
      ["connect-src 'self'", ...storesAt(store)].join(' '),
    ),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'origin-agent-cluster': '?1',
    ...(https && strictTransport),
  }
}

const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

// Some stores have the bucket in the path, some in the host.
function storesAt(store: ObjectStore | null): string[] {
  if (!store) return []
  const { origin, protocol, host } = new URL(store.publicUrl)
  return [origin, `${protocol}//${store.bucket}.${host}`]
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src-elem 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types teahouse-html ProseMirrorClipboard',
].join('; ')

// In development, styles arrive as elements and scripts are reloaded over a socket.
const looserPolicy = policy
  .replace("style-src-elem 'self'", "style-src-elem 'self' 'unsafe-inline'")
  .replace("connect-src 'self'", "connect-src 'self' ws:")
  .replace("require-trusted-types-for 'script'; ", '')
  .replace('trusted-types teahouse-html ProseMirrorClipboard', '')
