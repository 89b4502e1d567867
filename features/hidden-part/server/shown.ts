import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database.ts'
import type { HiddenView } from '#hidden-part/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type Shown = Omit<Segment, 'hidden'> & { hidden?: HiddenView | undefined }

/** Rendered posts, in which a part that a level opens says what the level is called, and nothing costs money where the site has no balance. */
export async function asShown(db: Db, segments: readonly Segment[]): Promise<Shown[]> {
  if (!segments.some(({ hidden }) => hidden)) return [...segments]
  const [levels, { allowCash }] = await Promise.all([user.levels(db), setting.all(db)])
  return segments.map((segment) => {
    const { hidden } = segment
    if (hidden?.lock === 'balance' && !allowCash) return { ...segment, hidden: { ...hidden, value: '' } }
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
