import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { ChangedSince } from '#audit/contract.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { CategoryInUse, TooDeep } from '#report/contract.ts'
import { NameView } from '#role/contract.ts'

export const categoryTree = read('/admin/reportCategory/list', {
  summary: 'Report categories, on two levels.',
  input: nothing,
  output: z.object({
    categories: z.array(
      z.object({
        id: z.string(),
        parentId: z.string().nullable(),
        name: NameView,
        needsReason: z.boolean(),
        sort: z.number(),
        version: z.number(),
        reports: z.number(),
      }),
    ),
  }),
})

const name = plainString.min(1).max(60).optional()
const categoryForm = { zh: name, en: name, needsReason: z.boolean().default(false), sort: z.int().min(-10_000).max(10_000).default(0) }

export const addCategory = write('/admin/reportCategory/add', {
  summary: 'Adds a group of report categories or, with a parent, a category.',
  input: withLanguageFallback(z.object({ parentId: id.optional(), ...categoryForm }), ['zh', 'en']),
  output: z.object({ categoryId: z.string() }),
  errors: [TooDeep],
})

export const editCategory = write('/admin/reportCategory/edit', {
  summary: 'Renames or moves a report category.',
  input: withLanguageFallback(z.object({ categoryId: id, version: z.int().min(1), parentId: id.optional(), ...categoryForm }), [
    'zh',
    'en',
  ]),
  output: nothing,
  errors: [ChangedSince, TooDeep],
})

export const removeCategory = write('/admin/reportCategory/remove', {
  summary: 'Removes a report category. Existing reports keep its name; a group must be empty.',
  input: z.object({ categoryId: id }),
  output: nothing,
  errors: [CategoryInUse],
})
