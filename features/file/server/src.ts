/** The address of a file. */
export function srcOf(id: string): string {
  return `/file/${id}`
}

/** The file id in an address. */
export function idIn(src: string): string {
  return src.slice(srcOf('').length)
}
