import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

export const audiences = ['everybody', 'visitors', 'members'] as const
/** The slots for HTML of staff. */
export const slotPlaces = ['belowHeader', 'besideTopics', 'belowTopic', 'aboveFooter'] as const
export type SlotPlace = (typeof slotPlaces)[number]
export const maxSlotLength = 10_000
export const maxSections = 60

const InBoth = z.object({ zh: z.string(), en: z.string() })
const Entry = z.object({ id: z.string(), name: InBoth, url: z.string() })
export const SectionView = Entry.extend({ below: z.array(Entry) })
export type SectionView = z.infer<typeof SectionView>

/** Header and footer of every page, for this viewer. */
export const FrameView = z.object({
  sections: z.array(SectionView),
  /** Cleaned HTML; only non-empty slots. */
  slots: z.array(InBoth.extend({ place: z.enum(slotPlaces) })),
  /** Whether a membership card is on sale. Otherwise its section is left out. */
  sellsMembership: z.boolean(),
})
export type FrameView = z.infer<typeof FrameView>

export const TooDeep = refusal('frame.tooDeep', { field: 'parentId' })
export const HasSections = refusal('frame.hasSections')
export const TooMany = refusal('frame.tooMany')
export const ChangedBy = refusal('frame.changedBy', { status: 409, field: 'version' })

/** A path of this site, or another site. */
function isAddress(url: string): boolean {
  return (url.startsWith('/') || /^https?:/.test(url)) && safeUrl(url) !== null
}

const name = plainString.min(1).max(40).optional()
const section = {
  zh: name,
  en: name,
  url: z
    .string()
    .trim()
    .max(500)
    .refine((url) => url === '' || isAddress(url), { params: { code: 'frame.notAnAddress' } })
    .default(''),
  parentId: id.optional(),
  audience: z.enum(audiences).default('everybody'),
  sort: z.int().min(-10_000).max(10_000).default(0),
}
// A nested section needs a link; top-level ones may be mere headings.
const hasAddress = ({ url, parentId }: { url: string; parentId?: string | undefined }) => url !== '' || parentId === undefined
const addressMissing = { path: ['url'], params: { code: 'frame.notAnAddress' } }

export const sectionList = read('/admin/section/list', {
  summary: 'Navigation sections with their subsections, in display order.',
  input: nothing,
  output: z.object({
    sections: z.array(
      z.object({
        id: z.string(),
        parentId: z.string().nullable(),
        name: InBoth,
        url: z.string(),
        audience: z.enum(audiences),
        sort: z.number(),
        version: z.number(),
      }),
    ),
  }),
})

export const addSection = write('/admin/section/add', {
  summary: 'Adds a section to the navigation.',
  input: withLanguageFallback(z.object(section).refine(hasAddress, addressMissing), ['zh', 'en']),
  output: z.object({ sectionId: z.string() }),
  errors: [TooDeep, TooMany],
})

export const editSection = write('/admin/section/edit', {
  summary: 'Changes a section of the navigation.',
  input: withLanguageFallback(z.object({ sectionId: id, version: z.int().min(1), ...section }).refine(hasAddress, addressMissing), [
    'zh',
    'en',
  ]),
  output: nothing,
  errors: [TooDeep, ChangedBy],
})

export const removeSection = write('/admin/section/remove', {
  summary: 'Removes a navigation section without subsections.',
  input: z.object({ sectionId: id }),
  output: nothing,
  errors: [HasSections],
})

const html = z.string().max(maxSlotLength).default('')

export const slotList = read('/admin/slot/list', {
  summary: 'Slots for custom HTML, with their source.',
  input: nothing,
  output: z.object({
    slots: z.array(InBoth.extend({ place: z.enum(slotPlaces), isOn: z.boolean(), version: z.number() })),
  }),
})

export const previewSlot = write('/admin/slot/preview', {
  summary: 'Sanitizes HTML as it would be displayed, and lists the parts that are removed.',
  input: z.object({ html }),
  output: z.object({ html: z.string(), leftOut: z.array(z.string()) }),
})

export const editSlot = write('/admin/slot/edit', {
  summary: 'Sets, enables or disables the custom HTML of a slot that appears on every page.',
  input: z.object({ place: z.enum(slotPlaces), zh: html, en: html, isOn: z.boolean(), version: z.int().min(0) }),
  output: z.object({ leftOut: z.array(z.string()) }),
  errors: [ChangedBy],
})
