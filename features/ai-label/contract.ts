import { z } from 'zod'
import { refusal } from '#base/contract.ts'

/** Where the label of AI-generated content of a post comes from: its author declared it, or staff set it. */
export const aiLabels = ['author', 'staff'] as const
export type AiLabel = (typeof aiLabels)[number]
/** Null where a post has none, and on a site that does not label posts. */
export const AiLabelView = z.enum(aiLabels).nullable()
export type AiLabelView = z.infer<typeof AiLabelView>

/** Staff set the label, and they alone take it off. */
export const LabelByStaff = refusal('aiLabel.byStaff', { field: 'aiGenerated' })

/** The declaration that comes with a post. In an edit without it the label stays as it is. */
export const declared = { aiGenerated: z.boolean().optional() }

/** How lists are narrowed by the label. */
export const aiFilters = ['only', 'without'] as const
export type AiFilter = (typeof aiFilters)[number]
