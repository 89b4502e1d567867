import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { ChangedSince } from '#audit/contract.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { CategoryNotEmpty, PageChanged, TermsChanged, TooDeep } from '#help/contract.ts'
import { NameView } from '#role/contract.ts'

const sort = z.int().min(-10_000).max(10_000).default(0)
const name = plainString.min(1).max(60).optional()
const title = plainString.min(1).max(120).optional()
const body = plainString.min(1).max(100_000).optional()
const texts = [
  ['titleZh', 'titleEn'],
  ['bodyZh', 'bodyEn'],
] as const

export const helpList = read('/admin/help/list', {
  summary: 'All help pages by category, hidden ones included.',
  input: nothing,
  output: z.object({
    categories: z.array(
      z.object({
        id: z.string(),
        parentId: z.string().nullable(),
        name: NameView,
        sort: z.number(),
        version: z.number(),
        pages: z.array(
          z.object({ id: z.string(), title: NameView, sort: z.number(), isVisible: z.boolean(), changedAt: z.iso.datetime() }),
        ),
      }),
    ),
  }),
})

export const helpSource = read('/admin/help/view', {
  summary: 'A help page in its editable form.',
  input: z.object({ pageId: id }),
  output: z.object({
    id: z.string(),
    categoryId: z.string(),
    titleZh: z.string(),
    titleEn: z.string(),
    bodyZh: z.string(),
    bodyEn: z.string(),
    sort: z.number(),
    isVisible: z.boolean(),
    version: z.number(),
  }),
})

const page = { categoryId: id, titleZh: title, titleEn: title, bodyZh: body, bodyEn: body, sort, isVisible: z.boolean().default(false) }

export const addHelp = write('/admin/help/add', {
  summary: 'Adds a help page in Markdown. A text given in one language serves for both.',
  input: withLanguageFallback(z.object(page), ...texts),
  output: z.object({ pageId: z.string() }),
})

export const editHelp = write('/admin/help/edit', {
  summary: 'Changes, moves or hides a help page.',
  input: withLanguageFallback(z.object({ pageId: id, version: z.int().min(1), ...page }), ...texts),
  output: nothing,
  errors: [PageChanged],
})

export const removeHelp = write('/admin/help/remove', { summary: 'Removes a help page.', input: z.object({ pageId: id }), output: nothing })

export const previewHelp = write('/admin/help/preview', {
  summary: 'Renders Markdown as a help page or the terms of service would show it.',
  input: z.object({ markdown: z.string().max(100_000) }),
  output: z.object({ segments: z.array(z.object({ html: z.string() })) }),
})

const category = { zh: name, en: name, sort }

export const addHelpCategory = write('/admin/helpCategory/add', {
  summary: 'Adds a category of help pages.',
  input: withLanguageFallback(z.object({ parentId: id.optional(), ...category }), ['zh', 'en']),
  output: z.object({ categoryId: z.string() }),
  errors: [TooDeep],
})

export const editHelpCategory = write('/admin/helpCategory/edit', {
  summary: 'Renames or moves a category of help pages.',
  input: withLanguageFallback(z.object({ categoryId: id, version: z.int().min(1), parentId: id.optional(), ...category }), ['zh', 'en']),
  output: nothing,
  errors: [ChangedSince, TooDeep],
})

export const removeHelpCategory = write('/admin/helpCategory/remove', {
  summary: 'Removes an empty category of help pages.',
  input: z.object({ categoryId: id }),
  output: nothing,
  errors: [CategoryNotEmpty],
})

export const termsList = read('/admin/terms/list', {
  summary: 'Versions of the terms of service, newest first, with the number of members who agreed, and the text of the newest.',
  input: nothing,
  output: z.object({
    versions: z.array(
      z.object({
        id: z.string(),
        publishedAt: z.iso.datetime(),
        publishedBy: z.string().nullable(),
        asksAgain: z.boolean(),
        agreed: z.number(),
      }),
    ),
    zh: z.string(),
    en: z.string(),
  }),
})

export const termsVersions = read('/admin/terms/versions', {
  summary: 'Texts of the versions of the terms of service, newest first, in pages.',
  input: z.object({ language: z.enum(['zh', 'en']), page: z.number().int().min(1).max(1_000).default(1) }),
  output: z.object({
    versions: z.array(z.object({ segments: z.array(z.object({ html: z.string() })), writtenAt: z.iso.datetime() })),
    pages: z.number(),
  }),
})

export const publishTerms = write('/admin/terms/publish', {
  summary: 'Publishes a new version of the terms of service, optionally with a request to all members to agree again.',
  input: withLanguageFallback(z.object({ basedOn: id.optional(), zh: body, en: body, asksAgain: z.boolean().default(false) }), [
    'zh',
    'en',
  ]),
  output: z.object({ termsId: z.string() }),
  errors: [TermsChanged],
})
