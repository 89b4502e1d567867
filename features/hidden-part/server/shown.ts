import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database.ts'
import type { HiddenView } from '#hidden-part/contract.ts'
import * as user from '#user/server/user.ts'

type Shown = Omit<Segment, 'hidden'> & { hidden?: HiddenView | undefined }

/** Rendered posts, in which a part that a level opens says what the level is called. */
export async function withLevels(db: Db, segments: readonly Segment[]): Promise<Shown[]> {
  if (!segments.some(({ hidden }) => hidden?.lock === 'level')) return [...segments]
  const levels = await user.levels(db)
  return segments.map((segment) => {
    const { hidden } = segment
    // The highest of those that are reached with that.
    const level = hidden?.lock === 'level' ? levels.findLast(({ needs }) => Number(needs) <= Number(hidden.value)) : undefined
    return hidden && level ? { ...segment, hidden: { ...hidden, level: level.name } } : segment
  })
}

/** A document as it reads where nothing can be opened. */
export function inWords(open: Doc): Doc {
  return { type: 'doc', content: open.content.map((block) => (block.type === 'hidden' ? paragraph(block.attrs) : block)) }
}

function paragraph({ lock, value }: { lock: string; value: string }): Block {
  return { type: 'paragraph', content: [{ type: 'text', text: `[hidden part: ${lock}${value && ` ${value}`}]` }] }
}
