import type { Node } from '@tiptap/pm/model'

/** The files chosen in the same batch, before and after one of them, nearest first. */
export type BatchNeighbours = { earlier: readonly string[]; later: readonly string[] }
export const noNeighbours: BatchNeighbours = { earlier: [], later: [] }

/** The position next to its already inserted batch neighbours; null if there are none. */
export function positionInDocument(doc: Node, { earlier, later }: BatchNeighbours): number | null {
  const found = new Map<string, { at: number; end: number }>()
  doc.descendants((node, at) => {
    const file: unknown = node.attrs['file']
    if (typeof file === 'string') found.set(file, { at, end: at + node.nodeSize })
    return !node.isTextblock
  })
  const place = (files: readonly string[]) => files.map((file) => found.get(file)).find((one) => one !== undefined)
  return place(later)?.at ?? place(earlier)?.end ?? null
}

export function positionInMarkdown(text: string, { earlier, later }: BatchNeighbours): number | null {
  const place = (files: readonly string[]) => files.map((file) => text.indexOf(`](file:${file}#`)).find((at) => at >= 0)
  const [before, after] = [place(later), place(earlier)]
  if (before !== undefined) return text.lastIndexOf('\n', before) + 1
  return after === undefined ? null : `${text}\n`.indexOf('\n', after)
}
