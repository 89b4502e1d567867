/** Where a file is asked for. */
export function srcOf(id: string): string {
  return `/file/${id}`
}

/** The file that is asked for there. */
export function idIn(src: string): string {
  return src.slice(srcOf('').length)
}
