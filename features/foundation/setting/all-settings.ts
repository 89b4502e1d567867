import type { z } from 'zod'
import { byFeature as settingsByFeature } from '#features/lists/settings.ts'
import { collectDeclarations, featuresByName } from '#base/collect-declarations.ts'
import { adminWord } from '#base/manifest.ts'
import type { SettingDeclaration } from '#base/setting.ts'
import { groups, type Group, type SettingGroup } from './groups.ts'

type GroupedSettings = Readonly<Record<string, SettingDeclaration & { group: SettingGroup }>>

const byFeature = settingsByFeature satisfies Record<string, GroupedSettings>

/** Settings that the program may read anywhere, and sealed ones. */
export const allSettings = collectDeclarations(byFeature)
export type AnySetting = keyof typeof allSettings
export type SealedSetting = { [Name in AnySetting]: (typeof allSettings)[Name] extends { sealed: true } ? Name : never }[AnySetting]
export type SettingName = Exclude<AnySetting, SealedSetting>
export type Settings = { [Name in SettingName]: z.output<(typeof allSettings)[Name]['schema']> }
export type Switch = { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName]

const names = Object.keys(allSettings) as AnySetting[]
const declarations: GroupedSettings = allSettings

export const sealedSettings = names.filter(isSealed)
/** Every setting that is not sealed, with its schema and default. */
export const settings = Object.fromEntries(
  names.filter((name) => !isSealed(name)).map((name) => [name, allSettings[name]]),
) as unknown as Pick<typeof allSettings, SettingName>

/** All that the record of a setting says. */
export function declarationOf(name: AnySetting): SettingDeclaration {
  return allSettings[name]
}

export function isSealed(name: string): name is SealedSetting {
  return declarations[name]?.sealed === true
}

/** Whether staff may set it, but not read it. */
export function isWriteOnly(name: string): boolean {
  return isSealed(name) || declarations[name]?.writeOnly === true
}

/** Whether a change requires a recent login. */
export function isGuarded(name: string): boolean {
  return isSealed(name) || declarations[name]?.guarded === true
}

/** Pictures, which are uploaded files: only the feature `look` changes them. */
export const pictureSettings = ['logo', 'logoDark', 'icon'] as const satisfies SettingName[]
export type PictureSetting = (typeof pictureSettings)[number]

export function isPicture(name: string): name is PictureSetting {
  return (pictureSettings as readonly string[]).includes(name)
}

/** The code of a word of a setting, in the administration's words of its feature: `bountyAdmin.minBountyPoints`. */
export function wordOf(name: AnySetting, key: string = name): string {
  return adminWord(featureOf.get(name) ?? '', key)
}

const featureOf = featuresByName(byFeature)

/** The settings of each group; each setting is in one. */
export const settingGroups = Object.fromEntries(
  Object.entries<Group>(groups).map(([group, { first }]) => {
    const its = names.filter((name) => declarations[name]?.group === group)
    return [group, [...its.filter((name) => featureOf.get(name) === first), ...its.filter((name) => featureOf.get(name) !== first)]]
  }),
) as Record<string, readonly AnySetting[]> as Readonly<Record<SettingGroup, readonly AnySetting[]>>
