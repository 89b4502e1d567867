import type { Manifest } from '#base/manifest.ts'
import { byFeature } from '#features/lists/manifests.ts'

type ByArea = Extract<(typeof byFeature)[keyof typeof byFeature], Readonly<Record<'staffRights', unknown>>>['staffRights']
type RightsIn<Areas> = Areas extends unknown ? Extract<Areas[keyof Areas], readonly string[]>[number] : never
export type StaffRight = RightsIn<ByArea>

/** The rights of staff, by role. Administrators have all of them. */
export const staffRights = Object.values<Manifest>(byFeature).flatMap(({ staffRights: areas = {} }) =>
  Object.values(areas).flat(),
) as readonly StaffRight[]
