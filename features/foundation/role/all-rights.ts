import { collectDeclarations, featuresByName, withFirst } from '#base/collect-declarations.ts'
import { adminWord } from '#base/manifest.ts'
import type { BannableFunction, MemberRight, MemberRights, MemberTagRight } from '#base/member-rights.ts'
import { byFeature as declared } from '#features/lists/member-rights.ts'
import { pascalCase } from '#base/pascal-case.ts'

const byFeature = withFirst(declared, [
  'tag',
  'topic',
  'comment',
  'question',
  'poll',
  'post',
  'like',
  'message',
  'assistant',
  'file',
  'user',
  'invitation',
  'hiddenPart',
])

type Declared = (typeof byFeature)[keyof typeof byFeature]
type NamesIn<Part extends keyof MemberRights, Its = Declared> =
  Its extends Readonly<Record<Part, infer Named>> ? keyof Named & string : never

export type TagRight = NamesIn<'perTag'>
export type GlobalRight = NamesIn<'everywhere'>
export type Right = TagRight | GlobalRight
export type FunctionName = NamesIn<'bannable'>

const features: [name: string, its: MemberRights][] = Object.entries(byFeature)
const partOf = <Part extends object>(part: (its: MemberRights) => Part) =>
  Object.fromEntries(features.map(([name, its]) => [name, part(its)]))
const rightsByFeature = partOf((its) => ({ ...its.perTag, ...its.everywhere }))
const functionsByFeature = partOf((its) => its.bannable ?? {})
const perTag: Readonly<Record<string, MemberTagRight>> = collectDeclarations(partOf((its) => its.perTag ?? {}))
const everywhere: Readonly<Record<string, MemberRight>> = collectDeclarations(partOf((its) => its.everywhere ?? {}))
const bannable: Readonly<Record<string, BannableFunction>> = collectDeclarations(functionsByFeature)
const functionFeatures = featuresByName(functionsByFeature)
const featureOf = featuresByName(rightsByFeature)

/** Rights that are held for a tag and those below it, or everywhere that is not restricted. */
export const tagRights = Object.keys(perTag) as [TagRight, ...TagRight[]]
export const globalRights = Object.keys(everywhere) as [GlobalRight, ...GlobalRight[]]
export const moderationRights = tagRights.filter((right) => perTag[right]?.kind === 'moderation')
export const visibilityRights = tagRights.filter((right) => perTag[right]?.kind === 'visibility')
/** The rights that the default role gets, once. */
export const defaultRights: Right[] = [...tagRights, ...globalRights].filter((right) => (perTag[right] ?? everywhere[right])?.byDefault)

/** The functions that a member can be banned from. */
export const functions = Object.keys(bannable) as [FunctionName, ...FunctionName[]]
/** Public functions, from which a spammer is banned. */
export const publicFunctions = functions.filter((name) => bannable[name]?.isPublic)

/**
 * The right that is required in a restricted upper tag to use this right below it: the same; or, for moderation below, the right to view.
 */
export function rightAbove(right: Right): Right {
  return moderationRights.some((one) => one === right) ? 'tag.view' : right
}

/** The code of a right in the words for staff: `topicAdmin.mayTopicPublish`. Itself if this version does not know it. */
export function rightWord(right: string): string {
  const feature = featureOf.get(right)
  return feature ? adminWord(feature, `may${pascalCase(right)}`) : right
}

/** The code of a right in the words of its feature, as cards of members call it: `like.givesPostLike`. Null if this version does not know it. */
export function benefitWord(right: string): string | null {
  const feature = featureOf.get(right)
  return feature ? `${feature}.gives${pascalCase(right)}` : null
}

/** The code of a function in the words of its feature, to complete “You can no longer …”: `like.banLike`. */
export function banWord(name: string): string {
  const feature = functionFeatures.get(name)
  return feature ? `${feature}.ban${pascalCase(name)}` : 'role.banElse'
}

/** The code of a function in the words for staff: `likeAdmin.banLike`. */
export function banLabel(name: string): string {
  const feature = functionFeatures.get(name)
  return feature ? adminWord(feature, `ban${pascalCase(name)}`) : 'role.banElse'
}
