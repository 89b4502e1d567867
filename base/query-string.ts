/** An address without its query and fragment. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** One parameter of an address, decoded; null when it is not there. The first counts where there are several. */
export function parameterOf(url: string, name: string): string | null {
  const query = /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? ''
  return new URLSearchParams(query).get(name)
}
