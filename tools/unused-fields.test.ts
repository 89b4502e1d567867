import { z } from 'zod'
import { expect, test } from 'vitest'
import { shapeOf } from '#base/server/http/form-fields.ts'
import { conditionalFields } from '#base/unused-fields.ts'
import { endpoints } from './endpoints.ts'

/**
 * The names of fields that may be left out and mean the same whatever else is sent, or whose combinations their call refuses itself, as those
 * of selections and of captchas. A field that means something only beside another belongs into `refuseUnused` of its contract.
 */
const independent = new Set(
  `
  about account address aiGenerated all andThen answers apiKey asked asksAgain audience authorId basedOn birthday bodyEn bodyZh
  bountyCash bountyDays bountyPoints bulletsEn bulletsZh cachedPrice captcha captchaId captchaWork cardIds cash clientSecret code
  commentId contextTokens conversationId countryCode coupon days descriptionEn descriptionZh email en endsAt endsOn endsOthers
  envelopeKind evenIfHeld everything folderId forum givesUp helpEn helpZh hintAnswer hintQuestion html ids inAppClientId
  inAppClientSecret inputPrice invitation isEnabled isNewOnly isOnSale isPublic isRequired isRestricted isSearched isVisible jobs
  jumpUrl kind language links listPrice longest maxUses mayDraft mayOwe messageId minPoints minPrice nameEn nameZh needsReason
  nickname note outputPrice parentId parts passkey password passwordAgain percent phone picture pictures points posts prefix push
  quantity quiet quotes readTo reason reasonEn reasonZh receiver refersTo refusedParts registeredBefore registeredFrom remark
  removes removesAbout removesAvatar removesKey replaces result returnTo rights roleIds roles seenAt sessionId sha256 showsLastSeen
  sort split startsAt startsOn stock subtitleEn subtitleZh tagId tagIds takes takesBroad textEn textSize textZh theme ticket
  timeZone title titleEn titleZh to token topicId trusts turnId unit units upTo upgrades url uses usesPerMember version way wish
  withBounty withholds zh
  `
    .trim()
    .split(/\s+/),
)

const writes = (await endpoints()).filter(({ method, path }) => method === 'POST' && path !== '/admin/setting/change')

/** The innermost form of an input. */
function formOf(input: z.ZodType): z.ZodType {
  return input instanceof z.ZodPipe ? formOf(input.in as z.ZodType) : input
}

test('every optional field of a call means the same with any other fields, or is refused if it means nothing', () => {
  const undecided = writes.flatMap(({ path, input }) => {
    const conditional = conditionalFields(formOf(input))
    return Object.entries(shapeOf(input))
      .filter(([name, type]) => type.safeParse(undefined).success && !conditional.includes(name) && !independent.has(name))
      .map(([name]) => `${path} ${name}`)
  })
  expect(undecided).toEqual([])
})

test('the list names no removed field', () => {
  const names = new Set(writes.flatMap(({ input }) => Object.keys(shapeOf(input))))
  expect([...independent].filter((name) => !names.has(name))).toEqual([])
})
