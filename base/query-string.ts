/** The address without its query and fragment. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/** The first value of a query parameter, decoded; null if absent. */
export function queryParameter(url: string, name: string): string | null {
  const query = /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? ''
  return new URLSearchParams(query).get(name)
}
