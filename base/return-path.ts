const home = '/index'
const site = 'https://teahouse.invalid'
const plainPath = /^\/(?![/\\])[\w\-./?=&%~+,:@!$'()*;#]*$/
// A login leads back to none of these: itself, the form of who is new, a provider's answer that somebody else may have begun, and what is no page.
const noWayBack = /^\/+(login|register|thirdparty|api)(\/|$)/i

/** A path of our own site to go back to, or the index: never another site, however it is written. */
export function safeReturnPath(path: string | null | undefined): string {
  return ownPath(path) ?? home
}

/** The same; null where there is none to go back to. */
export function ownPath(path: string | null | undefined): string | null {
  if (!path || path.length > 2000 || !plainPath.test(path) || !URL.canParse(path, site)) return null
  const { origin, pathname, search, hash } = new URL(path, site)
  if (origin !== site || /^\/[/\\]|%2f|%5c|%00/i.test(pathname)) return null
  // Routes are matched with their escapes undone.
  const route = unescaped(pathname)
  return route === null || noWayBack.test(route) ? null : pathname + search + hash
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

function unescaped(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null // a broken escape
  }
}
