// Separate from decoding (return-path.ts), which only a login needs.
const site = 'https://teahouse.invalid'

/** The value of the query `jumpUrl`: base64url of path, query and fragment. */
export function encodeReturnPath(path: string): string {
  const { pathname, search, hash } = new URL(path, site)
  const plain = (pathname + search + hash).replace(/[^\w\-./?=&%~+,:@!$'()*;#]/g, encodeURIComponent)
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
