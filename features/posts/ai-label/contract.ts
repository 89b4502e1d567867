import { z } from 'zod'
import { refusal } from '#base/contract.ts'

/** The origin of the AI label of a post: declared by its author, or set by staff. */
export const aiLabels = ['author', 'staff'] as const
export type AiLabel = (typeof aiLabels)[number]
/** Null for posts without a label, and on sites that do not label posts. */
export const AiLabelView = z.enum(aiLabels).nullable()
export type AiLabelView = z.infer<typeof AiLabelView>

/** Set by staff, who alone may remove it. */
export const LabelByStaff = refusal('aiLabel.byStaff', { field: 'aiGenerated' })

/** The declaration that comes with a post. An edit without it keeps the label. */
export const declared = { aiGenerated: z.boolean().optional() }

/** Filters of lists by the label. */
export const aiFilters = ['only', 'without'] as const
export type AiFilter = (typeof aiFilters)[number]
