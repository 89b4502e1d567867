import { z } from 'zod'
import { part } from '#ai-label/post-part.ts'
import { refusal } from '#base/contract.ts'

export const AiLabelView = part.comment.aiLabel
export type AiLabelView = z.infer<typeof AiLabelView>
export const aiLabels = AiLabelView.unwrap().options
export type AiLabel = (typeof aiLabels)[number]

/** Set by staff, who alone may remove it. */
export const LabelByStaff = refusal('aiLabel.byStaff', { field: 'aiGenerated' })

/** The declaration that comes with a post. An edit without it keeps the label. */
export const declared = { aiGenerated: z.boolean().optional() }

/** Filters of lists by the label. */
export const aiFilters = ['only', 'without'] as const
export type AiFilter = (typeof aiFilters)[number]
