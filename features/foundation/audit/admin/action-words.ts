import { auditActions, undone } from '#audit/actions.ts'
import { adminWord, type Manifest } from '#base/manifest.ts'
import { pascalCase } from '#base/pascal-case.ts'
import type { Translate } from '#base/web/words.tsx'
import { byFeature } from '#features/lists/manifests.ts'

const all: readonly Manifest[] = Object.values(byFeature)

/** An action in words; its code, where this version of the forum does not know it. The translator is that of all catalogues. */
export function actionIn(say: Translate, action: string): string {
  const word = actionWord(action)
  if (word) return say(word)
  const first = action.endsWith(undone) ? actionWord(action.slice(0, -undone.length)) : null
  return first ? say('auditAdmin.undid', { action: say(first) }) : action
}

function actionWord(action: string): string | null {
  const its = all.find(({ auditActions: declared }) => declared?.includes(action))
  return its ? adminWord(its.feature, `action${pascalCase(action)}`) : null
}

/** Actions by subject: the part before the first dot. */
export const actionGroups: ReadonlyMap<string, readonly string[]> = Map.groupBy(auditActions, groupOf)

export function groupIn(say: Translate, group: string): string {
  const its = all.find(({ auditActions: declared }) => declared?.some((action) => groupOf(action) === group))
  return its ? say(adminWord(its.feature, `group${pascalCase(group)}`)) : group
}

function groupOf(action: string): string {
  return action.split('.')[0] ?? ''
}

/** The subject of an entry in words, by name if it has one, and the path of its screen. */
export function aboutIn(say: Translate, about: string, name?: string): { text: string; to: string | null } {
  const [kind = '', id = ''] = about.split(' ')
  const its = declaring(kind)
  if (!its) return { text: about, to: null }
  return { text: say(aboutWord(its, kind), { id: name ?? id }), to: its.auditSubjects?.[kind]?.(id) ?? null }
}

/** All kinds of subject. */
export const aboutKinds = all.flatMap(({ auditSubjects = {} }) => Object.keys(auditSubjects))

/** The name of a kind, without an id. */
export function kindIn(say: Translate, kind: string): string {
  const its = declaring(kind)
  return its ? say(aboutWord(its, kind), { id: '' }).trim() : kind
}

function declaring(kind: string): Manifest | undefined {
  return all.find(({ auditSubjects = {} }) => Object.hasOwn(auditSubjects, kind))
}

function aboutWord({ feature }: Manifest, kind: string): string {
  return adminWord(feature, `about${pascalCase(kind)}`)
}
