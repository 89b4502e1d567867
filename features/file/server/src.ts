/** Where a file is asked for. */
export function srcOf(id: string): string {
  return `/file/${id}`
}
