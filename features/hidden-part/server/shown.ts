import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { HiddenView } from '#hidden-part/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type ShownSegment = Omit<Segment, 'hidden'> & { hidden?: HiddenView | undefined }
type Named = <Part extends HiddenView>(part: Part) => Part

/** Rendered posts, in which each hidden part says what it takes to open it. */
export async function asShown(db: Db, segments: readonly Segment[]): Promise<ShownSegment[]> {
  if (!segments.some(({ hidden }) => hidden)) return [...segments]
  const named = await naming(db)
  return segments.map(({ hidden, ...segment }) => ({ ...segment, ...(hidden && { hidden: named(hidden) }) }))
}

/** What tells of a part that a level opens what the level is called, and names no price in money where the site has no balance. */
export async function naming(db: Db): Promise<Named> {
  const [levels, { allowCash }] = await Promise.all([user.levels(db), setting.all(db)])
  return (part) => {
    if (part.lock === 'balance' && !allowCash) return { ...part, value: '' }
    // The highest of those that are reached with that.
    const level = part.lock === 'level' ? levels.findLast(({ needs }) => Number(needs) <= Number(part.value)) : undefined
    return level ? { ...part, level: level.name } : part
  }
}

/** A document as it reads where nothing can be opened. */
export function inWords(open: Doc): Doc {
  return { type: 'doc', content: open.content.map((block) => (block.type === 'hidden' ? paragraph(block.attrs) : block)) }
}

function paragraph({ lock, value }: { lock: string; value: string }): Block {
  return { type: 'paragraph', content: [{ type: 'text', text: `[hidden part: ${lock}${value && ` ${value}`}]` }] }
}
