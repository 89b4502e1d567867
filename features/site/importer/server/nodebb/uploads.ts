const maxAddress = 2_000
const folder = /\/(?:assets\/)?uploads\//

/** The path in the folder of uploads of an address on this site, or null. A site may lie in a folder, and may have moved between two. */
export function uploadAt(address: string, origins: readonly string[]): string | null {
  if (address.length > maxAddress) return null
  const url = URL.parse(address, 'https://here.invalid/')
  if (!url || !(url.host === 'here.invalid' || origins.some((origin) => URL.parse(origin)?.host === url.host))) return null
  const found = folder.exec(url.pathname)
  if (!found) return null
  const path = decoded(url.pathname.slice(found.index + found[0].length))
  return path !== null && isPlain(path) ? path : null
}

/** A part of an address in its own letters; null for one with escapes of no text. */
export function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** Whether a path stays in its folder. */
export function isPlain(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\0\\]/.test(path)
}

/** NodeBB shows a smaller copy of a picture, which may be gone while the picture is there. */
export function originalOf(path: string): string | null {
  const original = path.replace(/-resized(\.\w+)$/, '$1')
  return original === path ? null : original
}

/** An upload is written as `1700000000000-name.png`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/^\d{13}-/, '') || path
}
