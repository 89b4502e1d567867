/** A permanent tag URI (RFC 4151): owner, date and name. It stays when addresses change. */
export function tagUri(origin: string, what: string, since?: Date): string {
  const host = new URL(origin).hostname.replaceAll(/[^\w.-]/g, '') || 'localhost'
  return `tag:${host},${since ? since.toISOString().slice(0, 10) : firstYear}:${what}`
}

// Feeds are older than any of their posts.
const firstYear = 2026
