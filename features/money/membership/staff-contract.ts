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
  summary: 'All membership cards in their order, removed ones last, with the roles that they may sell.',
  input: nothing,
  output: z.object({
    cards: z.array(CardRow),
    roles: z.array(z.object({ id: z.string(), name: NameView, /** Whether I may give it. */ isMine: z.boolean() })),
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
  summary: 'A membership card as staff wrote it, with its specifications.',
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
  summary: 'Adds a membership card, which sells a role. A text in one language stands in for the other.',
  input: withLanguageFallback(z.object(cardForm), ['nameZh', 'nameEn']),
  output: z.object({ cardId: z.string() }),
  errors: cardRefusals,
})

export const editMembershipCard = write('/admin/membershipCard/edit', {
  summary:
    'Changes a membership card. Orders stay as they were bought; with another role its specifications get new ids, so that nobody buys what they did not see.',
  input: withLanguageFallback(z.object({ cardId: id, version, ...cardForm }), ['nameZh', 'nameEn']),
  output: nothing,
  errors: [...cardRefusals, ChangedSince],
})

export const removeMembershipCard = write('/admin/membershipCard/remove', {
  summary: 'Takes a membership card off sale and off the list. Orders, and roles that were bought, stay.',
  input: z.object({ cardId: id }),
  output: nothing,
})

export const restoreMembershipCard = write('/admin/membershipCard/restore', {
  summary: 'Puts a removed membership card back on the list, off sale.',
  input: z.object({ cardId: id }),
  output: nothing,
  errors: [RoleUnfit, MoreThanOwn],
})

export const uploadCardPicture = write('/admin/membershipCard/picture', {
  summary:
    'Makes a picture for a membership card of a square part of the file of a multipart form. It is cleared away unless a card uses it in time.',
  input: squarePart,
  output: z.object({ file: z.string(), src: z.string() }),
  errors: [...pictureRefusals, CropOutside],
})

export const previewCard = write('/admin/membershipCard/preview', {
  summary: 'Markdown as the introduction of a membership card would show it.',
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
  summary: 'Adds a specification to a membership card: a price and a duration.',
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
  summary: 'Changes a specification. With another duration it gets a new id, and what is left of its stock.',
  input: withLanguageFallback(z.object({ specificationId: id, version, ...specificationForm }).superRefine(checkPrice), ['zh', 'en']),
  output: nothing,
  errors: [ChangedSince],
})

export const removeSpecification = write('/admin/membershipCard/specification/remove', {
  summary: 'Takes a specification off its card. Orders stay.',
  input: z.object({ specificationId: id }),
  output: nothing,
})

export const stockChanges = ['add', 'take', 'limit', 'unlimit'] as const

export const changeStock = write('/admin/membershipCard/specification/stock', {
  summary: 'Adds units to the stock of a specification, takes some, gives it a limit of so many that are left, or takes the limit away.',
  input: z
    .object({ specificationId: id, how: z.enum(stockChanges), units: z.int().min(1).max(maxStock).optional() })
    .superRefine(({ how, units: count }, context) => {
      if (how !== 'unlimit' && count === undefined)
        context.addIssue({ code: 'custom', path: ['units'], params: { code: 'validation.required' } })
    }),
  output: nothing,
  errors: [StockSold, StockTooLarge, StockChanged],
})
