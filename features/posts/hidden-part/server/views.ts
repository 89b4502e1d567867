import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { HiddenView } from '#hidden-part/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type SegmentView = Omit<Segment, 'hidden'> & { hidden?: HiddenView | undefined }
type AddLabels = <Part extends HiddenView>(part: Part) => Part

/** Rendered segments, with the public properties of each hidden part. */
export async function withHiddenViews(db: Db, segments: readonly Segment[]): Promise<SegmentView[]> {
  if (!segments.some(({ hidden }) => hidden)) return [...segments]
  const addLabels = await labeler(db)
  return segments.map(({ hidden, ...segment }) => ({ ...segment, ...(hidden && { hidden: addLabels(hidden) }) }))
}

/** Adds the level's name to a part that a level opens, and removes a price in money if the site has no balances. */
export async function labeler(db: Db): Promise<AddLabels> {
  const [levels, { allowCash }] = await Promise.all([user.levels(db), setting.all(db)])
  return (part) => {
    if (part.lock === 'balance' && !allowCash) return { ...part, value: '' }
    // The highest level that these points reach.
    const level = part.lock === 'level' ? levels.findLast(({ needs }) => Number(needs) <= Number(part.value)) : undefined
    return level ? { ...part, level: level.name } : part
  }
}

/** A document for places where no part can be opened. */
export function withTextPlaceholders(open: Doc): Doc {
  return { type: 'doc', content: open.content.map((block) => (block.type === 'hidden' ? paragraph(block.attrs) : block)) }
}

function paragraph({ lock, value }: { lock: string; value: string }): Block {
  return { type: 'paragraph', content: [{ type: 'text', text: `[hidden part: ${lock}${value && ` ${value}`}]` }] }
}
