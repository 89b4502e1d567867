const home = '/index'
const site = 'https://teahouse.invalid'
const plainPath = /^\/(?![/\\])[\w\-./?=&%~+,:@!$'()*;#]*$/
// A login never returns to these: itself, the registration form, a provider's callback that another person may have begun, and paths that
// are no pages.
const excludedPaths = /^\/+(login|register|thirdparty|api)(\/|$)/i

/** A path of this site to return to, or the index: never another site, however it is written. */
export function safeReturnPath(path: string | null | undefined): string {
  return internalPath(path) ?? home
}

/** The same, or null if there is none. */
export function internalPath(path: string | null | undefined): string | null {
  if (!path || path.length > 2000 || !plainPath.test(path) || !URL.canParse(path, site)) return null
  const { origin, pathname, search, hash } = new URL(path, site)
  if (origin !== site || /^\/[/\\]|%2f|%5c|%00/i.test(pathname)) return null
  // Routes are matched with their escapes decoded.
  const route = decodePath(pathname)
  return route === null || excludedPaths.test(route) ? null : pathname + search + hash
}

/** Decodes `jumpUrl`. Anything but a path of this site leads to the index. */
export function decodeReturnPath(jumpUrl: string | null): string {
  if (!jumpUrl || !/^[\w-]{1,3000}$/.test(jumpUrl)) return home
  try {
    return safeReturnPath(atob(jumpUrl.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return home // not base64
  }
}

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null // a malformed escape
  }
}
