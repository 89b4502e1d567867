import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { NameView } from '#role/contract.ts'

/** Somebody changed it since it was read. */
export const PageChanged = refusal('help.pageChanged', { status: 409, field: 'version' })
export const TermsChanged = refusal('help.termsChanged', { status: 409 })
export const CategoryNotEmpty = refusal('help.categoryNotEmpty')
export const TooDeep = refusal('help.tooDeep', { field: 'parentId' })

const language = z.enum(['zh', 'en'])
const Segments = z.array(z.object({ html: z.string() }))

export const termsOfService = read('/termsService', {
  does: 'The terms of service in one of the two languages.',
  takes: z.object({ language }),
  gives: z.object({ segments: Segments, publishedAt: z.iso.datetime().nullable() }),
  shared: true,
})

export const myTerms = read('/terms/mine', {
  does: 'Whether I am asked to agree to a newer version of the terms.',
  takes: nothing,
  gives: z.object({
    asks: z.boolean(),
    /** From then on I may not write until I agree. */
    by: z.iso.datetime().nullable(),
    termsId: z.string().nullable(),
  }),
})

export const agreeToTerms = write('/terms/agree', {
  does: 'Agrees to a version of the terms; when is kept.',
  takes: z.object({ termsId: id }),
  gives: nothing,
  answeredWhile: 'readOnly',
  whileWaiting: true,
})

export const HelpCategoryView = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  name: NameView,
  pages: z.array(z.object({ id: z.string(), title: NameView })),
})
export type HelpCategoryView = z.infer<typeof HelpCategoryView>

export const helpTree = read('/help/tree', {
  does: 'The help pages by category, in two levels.',
  takes: nothing,
  gives: z.object({ categories: z.array(HelpCategoryView) }),
  shared: true,
})

export const helpPage = read('/help/page', {
  does: 'One help page in one of the two languages.',
  takes: z.object({ pageId: id, language }),
  gives: z.object({
    id: z.string(),
    title: NameView,
    summary: z.string(),
    segments: Segments,
    category: NameView,
    changedAt: z.iso.datetime(),
  }),
  shared: true,
})
