import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { ChangedSince } from '#audit/contract.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

export const LinkTwice = refusal('link.twice', { field: 'url' })

export const LinkView = z.object({ id: z.string(), name: z.string(), url: z.string() })
export type LinkView = z.infer<typeof LinkView>

export const friendLinks = read('/link/list', {
  summary: 'Links to partner sites, in display order.',
  input: nothing,
  output: z.object({ links: z.array(LinkView) }),
  shared: true,
})

const url = z
  .string()
  .trim()
  .max(250)
  .refine((text) => /^https?:\/\//.test(text) && safeUrl(text) !== null, { params: { code: 'link.notAnAddress' } })
const link = { name: plainString.min(1).max(60), url, sort: z.int().min(-10_000).max(10_000).default(0) }

export const linkList = read('/admin/link/list', {
  summary: 'Links to partner sites for staff, in display order.',
  input: nothing,
  output: z.object({ links: z.array(LinkView.extend({ sort: z.number(), version: z.number(), addedAt: z.iso.datetime() })) }),
})

export const addLink = write('/admin/link/add', {
  summary: 'Adds a link to a partner site.',
  input: z.object(link),
  output: z.object({ linkId: z.string() }),
  errors: [LinkTwice],
})

export const editLink = write('/admin/link/edit', {
  summary: 'Changes a link to a partner site.',
  input: z.object({ linkId: id, version: z.int().min(1), ...link }),
  output: nothing,
  errors: [ChangedSince, LinkTwice],
})

export const removeLink = write('/admin/link/remove', {
  summary: 'Removes a link to a partner site.',
  input: z.object({ linkId: id }),
  output: nothing,
})
