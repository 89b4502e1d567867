export function srcOf(id: string): string {
  return `/file/${id}`
}

export function idIn(src: string): string {
  return src.slice(srcOf('').length)
}
