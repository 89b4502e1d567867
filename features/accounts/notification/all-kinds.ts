import { collectDeclarations, featuresByName, withFirst, type Collected } from '#base/collect-declarations.ts'
import type { NotificationKindDeclaration, NotificationKindDeclarations } from '#base/notification-kind.ts'
import { byFeature as declared } from '#features/lists/notification-kinds.ts'
import { pascalCase } from '#base/pascal-case.ts'

const byFeature = withFirst(declared, ['writing', 'comment', 'follow', 'like', 'question', 'bounty', 'poll', 'hiddenPart'])

type Kinds = Collected<typeof byFeature>
type KindsWith<Flag> = { [Kind in keyof Kinds]: Kinds[Kind] extends Flag ? Kind : never }[keyof Kinds]

/** The kinds that e-mails and pushes can bring: those that members choose. */
export type DeliveredKind = Exclude<keyof Kinds, KindsWith<{ isFixed: true }>>
/** The kinds in the list of notifications. */
export type NotificationKind = Exclude<keyof Kinds, KindsWith<{ hasOwnPage: true }>>

const declarations: NotificationKindDeclarations = collectDeclarations(byFeature)
const names = Object.keys(declarations)
const featureOf = featuresByName(byFeature)

export const deliveredKinds = names.filter((kind) => !declarations[kind]?.isFixed) as [DeliveredKind, ...DeliveredKind[]]
export const notificationKinds = names.filter((kind) => !declarations[kind]?.hasOwnPage) as [NotificationKind, ...NotificationKind[]]

/** All that the record of a kind says. */
export function declarationOf(kind: DeliveredKind | NotificationKind): NotificationKindDeclaration {
  return declarations[kind] ?? {}
}

/** The code of the sentence of a kind, in the words of its feature: `comment.notificationCommented`. */
export function sentenceOf(kind: DeliveredKind | NotificationKind): string {
  return `${featureOf.get(kind)}.notification${pascalCase(kind)}`
}

/** The code of the name of a kind in the settings. */
export function labelOf(kind: DeliveredKind): string {
  return `${sentenceOf(kind)}Label`
}

/** The code of the reason why a member gets it. */
export function reasonOf(kind: NotificationKind): string {
  return `${sentenceOf(kind)}Reason`
}
