import type { Manifest } from '#base/manifest.ts'
import { manifests } from '#manifests.ts'

type ByArea = Extract<(typeof manifests)[number], Readonly<Record<'staffRights', unknown>>>['staffRights']
type RightsIn<Areas> = Areas extends unknown ? Extract<Areas[keyof Areas], readonly string[]>[number] : never
export type StaffRight = RightsIn<ByArea>

/** The rights of staff, by role. Administrators have all of them. */
export const staffRights = (manifests as readonly Manifest[]).flatMap(({ staffRights: areas = {} }) =>
  Object.values(areas).flat(),
) as readonly StaffRight[]
