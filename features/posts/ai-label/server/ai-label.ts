import { sql, type RawBuilder } from 'kysely'
import { LabelByStaff, type AiFilter, type AiLabel, type AiLabelView } from '#ai-label/contract.ts'
import type { Block } from '#base/rich-text/document.ts'
import type { Settings } from '#setting/contract.ts'

/** Whether a post contains AI-generated content, and the origin of the claim. */
export type Declaration = { isGenerated: boolean; by: AiLabel }

type LabelState = { label: AiLabelView; isAuthor: boolean }

/** The declaration of an edit; undefined for none. Authors cannot remove a label that staff set; editors of other members' posts can. */
export function declaration(aiGenerated: boolean | undefined, { label, isAuthor }: LabelState): Declaration | undefined {
  if (aiGenerated === undefined) return undefined
  if (isAuthor && label === 'staff' && !aiGenerated) throw LabelByStaff()
  return { isGenerated: aiGenerated, by: isAuthor ? 'author' : 'staff' }
}

/** A new post, declared by its author alone. */
export const unlabelled: LabelState = { label: null, isAuthor: true }

/** The label of a row after a declaration. Computed in the statement, since staff may label the post while an edit waits. */
export function labelAfter({ isGenerated, by }: Declaration): RawBuilder<AiLabelView> {
  if (isGenerated) return sql<AiLabelView>`coalesce(ai_label, ${by})`
  return by === 'staff' ? sql<AiLabelView>`null` : sql<AiLabelView>`case ai_label when 'staff' then 'staff' end`
}

/** The label as readers see it. */
export function visibleLabel({ aiLabels }: Pick<Settings, 'aiLabels'>, label: string | null): AiLabelView {
  return aiLabels === 'off' ? null : (label as AiLabelView)
}

/** The label as a line of a post copied as text; in English, like all machine-readable output. Empty for no label. */
export function asBlocks(label: AiLabelView): Block[] {
  return label ? [{ type: 'paragraph', content: [{ type: 'text', text: '[contains AI-generated content]' }] }] : []
}

/** The condition that a post of this table is labelled, or is not. */
export function isLabelled(table: string, filter: AiFilter): RawBuilder<boolean> {
  const label = sql.ref(`${table}.ai_label`)
  return filter === 'only' ? sql<boolean>`${label} is not null` : sql<boolean>`${label} is null`
}
