import type { Block, Doc, Node } from '#base/rich-text/document.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { commonPairs } from '#base/web/versions/common-pairs.ts'

/** A changed block of a draft; an added one has no `before`, a removed one no `after`. */
export type DraftChange = {
  before: Block | null
  after: Block | null
  /** The block of the draft above it. */
  follows: Block | null
  /** Its position in the draft. */
  at: number
}

/** The part of a draft that a model improves. Pictures, files and hidden parts stay as they are, in their place. */
export function improvable(doc: Doc): Doc {
  return { type: 'doc', content: doc.content.filter(isImprovable) }
}

function isImprovable(block: Node): boolean {
  return !['image', 'file', 'hidden'].includes(block.type) && (block.content ?? []).every(isImprovable)
}

/** The changes of an improved text to a draft, in the order of the draft. */
export function changesOf(draft: Doc, improved: Doc): DraftChange[] {
  const old = draft.content.flatMap((block, at) => (isImprovable(block) && textOf(block) !== '' ? { block, at } : []))
  const now = improved.content
  const changes: DraftChange[] = []
  let [oldAt, nowAt] = [0, 0]
  const same = commonPairs(
    old.map(({ block }) => textOf(block)),
    now.map(textOf),
  )
  for (const [a, b] of [...same, [old.length, now.length] as const]) {
    for (let step = 0; step < Math.max(a - oldAt, b - nowAt); step++) {
      const before = oldAt + step < a ? old[oldAt + step] : undefined
      const above = before ? undefined : old[Math.min(a, oldAt + step) - 1]
      const at = before?.at ?? (above ? above.at + 1 : 0)
      const after = (nowAt + step < b && now[nowAt + step]) || null
      changes.push({ before: before?.block ?? null, after, follows: draft.content[at - 1] ?? null, at })
    }
    ;[oldAt, nowAt] = [a + 1, b + 1]
  }
  return changes
}

/** The current draft with a change applied. Null where its block is gone. */
export function withChange(draft: Doc, { before, after, follows, at }: DraftChange): Doc | null {
  const { content } = draft
  const place = before ? placeOf(content, before, at) : follows ? placeOf(content, follows, at - 1) + 1 : 0
  if (before && place < 0) return null
  const start = before || place > 0 || !follows ? place : Math.min(at, content.length)
  const next = [...content.slice(0, start), ...(after ? [after] : []), ...content.slice(before ? start + 1 : start)]
  return { type: 'doc', content: next.length > 0 ? next : [{ type: 'paragraph' }] }
}

/** Of equal blocks, the nearest to the original position. */
function placeOf(content: readonly Block[], block: Block, near: number): number {
  const text = textOf(block)
  const places = content.flatMap((other, place) => (textOf(other) === text ? place : []))
  return places.toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near))[0] ?? -1
}

/** A block in the author's own Markdown style. */
export function textOf(block: Block): string {
  return toMarkdown({ type: 'doc', content: [block] })
}
