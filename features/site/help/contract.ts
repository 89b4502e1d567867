import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { NameView } from '#role/contract.ts'

/** Changed by another member of staff since it was read. */
export const PageChanged = refusal('help.pageChanged', { status: 409, field: 'version' })
export const TermsChanged = refusal('help.termsChanged', { status: 409 })
export const CategoryNotEmpty = refusal('help.categoryNotEmpty')
export const TooDeep = refusal('help.tooDeep', { field: 'parentId' })

const language = z.enum(['zh', 'en'])
const Segments = z.array(z.object({ html: z.string() }))

export const termsOfService = read('/termsService', {
  summary: 'The terms of service in the requested language.',
  input: z.object({ language }),
  output: z.object({ segments: Segments, publishedAt: z.iso.datetime().nullable() }),
  shared: true,
})

export const myTerms = read('/terms/mine', {
  summary: 'Whether the member has to agree to a newer version of the terms of service.',
  input: nothing,
  output: z.object({
    asks: z.boolean(),
    /** Deadline for the agreement; afterwards the member cannot write until they agree. */
    by: z.iso.datetime().nullable(),
    termsId: z.string().nullable(),
  }),
})

export const agreeToTerms = write('/terms/agree', {
  summary: 'Agrees to a version of the terms of service. The time is recorded.',
  input: z.object({ termsId: id }),
  output: nothing,
  availableWhile: 'readOnly',
  allowedWhilePending: true,
})

export const HelpCategoryView = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  name: NameView,
  pages: z.array(z.object({ id: z.string(), title: NameView })),
})
export type HelpCategoryView = z.infer<typeof HelpCategoryView>

export const helpTree = read('/help/tree', {
  summary: 'Help pages by category, on two levels.',
  input: nothing,
  output: z.object({ categories: z.array(HelpCategoryView) }),
  shared: true,
})

export const helpPage = read('/help/page', {
  summary: 'A help page in the requested language.',
  input: z.object({ pageId: id, language }),
  output: z.object({
    id: z.string(),
    title: NameView,
    summary: z.string(),
    segments: Segments,
    category: NameView,
    changedAt: z.iso.datetime(),
  }),
  shared: true,
})
