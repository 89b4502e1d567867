import { z } from 'zod'
import { ChangedSince } from '#audit/contract.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { CropOutside, fileId, pictureRefusals } from '#file/contract.ts'
import {
  RoleUnfit,
  CardPictureNotNew,
  ReplacesSameRole,
  ReplacesEachOther,
  StockSold,
  StockTooLarge,
  StockChanged,
  maxYears,
  PriceView,
  units,
  type Unit,
} from '#membership/contract.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'
import { squarePart } from '#user/contract.ts'
import { amountField } from '#wallet/contract.ts'

export const maxName = 60
export const maxSubtitle = 120
export const maxBullets = 12
export const maxBullet = 100
export const maxBody = 50_000
export const maxStock = 1_000_000_000

const name = plainString.min(1).max(maxName).optional()
const subtitle = plainString.max(maxSubtitle).default('')
const bullets = z.array(plainString.min(1).max(maxBullet)).max(maxBullets).default([])
const body = plainString.max(maxBody).default('')
const sort = z.int().min(-10_000).max(10_000).default(0)
const version = z.int().min(1).max(2_000_000_000)
const Bullets = z.object({ zh: z.array(z.string()), en: z.array(z.string()) })

const CardRow = z.object({
  id: z.string(),
  name: NameView,
  /** Null if the role was deleted after the card was removed. */
  role: z.object({ id: z.string(), name: NameView }).nullable(),
  /** The lowest and the highest price on sale. */
  prices: z.object({ from: PriceView, to: PriceView }).nullable(),
  options: z.number(),
  /** Options priced in yuan, which are hidden from members while the site has no balances. */
  unshown: z.number(),
  sold: z.number(),
  isOnSale: z.boolean(),
  isRemoved: z.boolean(),
  sort: z.number(),
  version: z.number(),
})

export const membershipCardsForStaff = read('/admin/membershipCard/list', {
  summary: 'All membership cards in display order, removed ones last, with the roles that they can sell.',
  input: nothing,
  output: z.object({
    cards: z.array(CardRow),
    roles: z.array(z.object({ id: z.string(), name: NameView, /** Whether the staff account may give it. */ isMine: z.boolean() })),
    /** Whether members see prices in yuan. */
    hasCash: z.boolean(),
  }),
})

const SpecificationRow = z.object({
  id: z.string(),
  name: NameView,
  price: PriceView,
  listPrice: z.string().nullable(),
  duration: z.number(),
  unit: z.enum(units),
  /** The remaining units; null without a limit. */
  left: z.number().nullable(),
  sold: z.number(),
  isEnabled: z.boolean(),
  sort: z.number(),
  version: z.number(),
})

export const membershipCardForStaff = read('/admin/membershipCard/view', {
  summary: 'A membership card in its editable form, with its specifications.',
  input: z.object({ cardId: id }),
  output: CardRow.extend({
    subtitle: NameView,
    bullets: Bullets,
    body: NameView,
    picture: z.object({ file: z.string(), src: z.string() }).nullable(),
    replaces: z.array(z.string()),
    specifications: z.array(SpecificationRow),
  }),
})

const cardForm = {
  roleId: id,
  nameZh: name,
  nameEn: name,
  subtitleZh: subtitle,
  subtitleEn: subtitle,
  bulletsZh: bullets,
  bulletsEn: bullets,
  bodyZh: body,
  bodyEn: body,
  /** A fresh upload; empty for none. If absent, the card's picture stays. */
  picture: fileId.or(z.literal('')).optional(),
  isOnSale: z.boolean().default(false),
  sort,
  /** The cards whose unused value is deducted from the price of this one. */
  replaces: z.array(id).max(100).default([]),
}
const cardRefusals = [RoleUnfit, MoreThanOwn, CardPictureNotNew, ReplacesSameRole, ReplacesEachOther]

export const addMembershipCard = write('/admin/membershipCard/add', {
  summary: 'Adds a membership card, which sells a role. A text given in one language serves for both.',
  input: withLanguageFallback(z.object(cardForm), ['nameZh', 'nameEn']),
  output: z.object({ cardId: z.string() }),
  errors: cardRefusals,
})

export const editMembershipCard = write('/admin/membershipCard/edit', {
  summary:
    'Changes a membership card; existing orders stay. A change of role gives its specifications new ids, so that stale purchases fail.',
  input: withLanguageFallback(z.object({ cardId: id, version, ...cardForm }), ['nameZh', 'nameEn']),
  output: nothing,
  errors: [...cardRefusals, ChangedSince],
})

export const removeMembershipCard = write('/admin/membershipCard/remove', {
  summary: 'Removes a membership card from sale and from the list. Orders and purchased roles stay.',
  input: z.object({ cardId: id }),
  output: nothing,
})

export const restoreMembershipCard = write('/admin/membershipCard/restore', {
  summary: 'Restores a removed membership card to the list, not on sale.',
  input: z.object({ cardId: id }),
  output: nothing,
  errors: [RoleUnfit, MoreThanOwn],
})

export const uploadCardPicture = write('/admin/membershipCard/picture', {
  summary: 'Creates a card picture from a square crop of the file in a multipart form. An unused picture is deleted after a while.',
  input: squarePart,
  output: z.object({ file: z.string(), src: z.string() }),
  errors: [...pictureRefusals, CropOutside],
})

export const previewCard = write('/admin/membershipCard/preview', {
  summary: 'Renders Markdown as the introduction of a membership card would show it.',
  input: z.object({ markdown: z.string().max(maxBody) }),
  output: z.object({ segments: z.array(z.object({ html: z.string() })) }),
})

/** The longest durations, by unit. */
export const maxDuration: Record<Unit, number> = { hour: 1_000, day: 1_000, month: 12 * maxYears, year: maxYears }

const specificationForm = {
  zh: name,
  en: name,
  cash: amountField('cny').optional(),
  points: amountField('points').optional(),
  /** The price that is struck through. */
  listPrice: amountField('cny').optional(),
  duration: z.int().min(1).max(1_000),
  unit: z.enum(units),
  isEnabled: z.boolean().default(true),
  sort,
}

type PriceInput = { cash?: bigint | undefined; points?: bigint | undefined; listPrice?: bigint | undefined; duration: number; unit: Unit }

function checkPrice({ cash, points, listPrice, duration, unit }: PriceInput, { addIssue }: z.core.$RefinementCtx): void {
  const addError = (field: string, code: string, values = {}) => addIssue({ code: 'custom', path: [field], params: { code, values } })
  if (cash === undefined && points === undefined) addError('cash', 'membership.costsNothing')
  if (listPrice !== undefined && listPrice <= (cash ?? listPrice)) addError('listPrice', 'membership.listPriceTooLow')
  if (duration > maxDuration[unit]) addError('duration', 'validation.tooLarge', { max: maxDuration[unit] })
}

export const addSpecification = write('/admin/membershipCard/specification/add', {
  summary: 'Adds a specification (price and duration) to a membership card.',
  input: withLanguageFallback(
    z
      .object({
        cardId: id,
        ...specificationForm,
        /** Units on sale; unlimited if absent. */ stock: z.int().min(0).max(maxStock).optional(),
      })
      .superRefine(checkPrice),
    ['zh', 'en'],
  ),
  output: z.object({ specificationId: z.string() }),
})

export const editSpecification = write('/admin/membershipCard/specification/edit', {
  summary: 'Changes a specification. A new duration gives it a new id and the remaining stock.',
  input: withLanguageFallback(z.object({ specificationId: id, version, ...specificationForm }).superRefine(checkPrice), ['zh', 'en']),
  output: nothing,
  errors: [ChangedSince],
})

export const removeSpecification = write('/admin/membershipCard/specification/remove', {
  summary: 'Removes a specification from its card. Existing orders stay.',
  input: z.object({ specificationId: id }),
  output: nothing,
})

export const stockChanges = ['add', 'take', 'limit', 'unlimit'] as const

export const changeStock = write('/admin/membershipCard/specification/stock', {
  summary: 'Adds to or removes from the stock of a specification, sets the remaining units, or removes the limit.',
  input: z
    .object({ specificationId: id, how: z.enum(stockChanges), units: z.int().min(1).max(maxStock).optional() })
    .superRefine(({ how, units: count }, context) => {
      if (how !== 'unlimit' && count === undefined)
        context.addIssue({ code: 'custom', path: ['units'], params: { code: 'validation.required' } })
    }),
  output: nothing,
  errors: [StockSold, StockTooLarge, StockChanged],
})
