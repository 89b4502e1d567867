const home = '/index'
const plainPath = /^\/(?![/\\])[\w\-./?=&%~+,:@!$'()*;#]*$/
const site = 'https://teahouse.invalid'

/** A path of our own site to go back to, or the index: never another site, however it is written. */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path || path.length > 2000 || !plainPath.test(path)) return home
  if (!URL.canParse(path, site)) return home
  const url = new URL(path, site)
  if (url.origin !== site || /^\/[/\\]|%2f|%5c/i.test(url.pathname)) return home
  if (url.pathname === '/login' || url.pathname.startsWith('/api/')) return home
  return url.pathname + url.search + url.hash
}

/** Where one was, for the query `jumpUrl`: base64url of path and query. */
export function encodeReturnPath(path: string): string {
  const bytes = new TextEncoder().encode(encodeURI(decodeURI(path)))
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Reads `jumpUrl` back. Anything that is not one of ours leads to the index. */
export function decodeReturnPath(jumpUrl: string | null): string {
  if (!jumpUrl || !/^[\w-]{1,3000}$/.test(jumpUrl)) return home
  try {
    return safeReturnPath(atob(jumpUrl.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return home // not base64
  }
}
