import { adminWord, rightAreas, type Manifest } from '#base/manifest.ts'
import { pascalCase } from '#base/pascal-case.ts'
import { byFeature } from '#features/lists/manifests.ts'
import type { StaffRight } from '#staff/right-contract.ts'

const all: readonly Manifest[] = Object.values(byFeature)

/** The catalogue code of a right; the right itself where this version does not know it. */
export function rightWord(right: string): string {
  const its = all.find(({ staffRights = {} }) => Object.values(staffRights).flat().includes(right))
  return its ? adminWord(its.feature, `right${pascalCase(right)}`) : right
}

/** The rights as a form offers them, grouped by area. */
export const rightGroups = rightAreas.map((area) => ({
  title: `rights${pascalCase(area)}`,
  rights: all.flatMap(({ staffRights }) => staffRights?.[area] ?? []) as readonly StaffRight[],
}))
