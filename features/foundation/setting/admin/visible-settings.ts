import type { Bilingual } from '#base/both-languages.ts'
import { declarationOf, settingGroups, type AnySetting, type SettingGroup } from '#setting/staff-contract.ts'

type Site = { isOn: (name: string) => boolean; offered: readonly (keyof Bilingual)[] }

/** The settings of a group that apply to this site: without those of a switch that is off, and without texts in languages it does not offer. */
export function visibleSettings(group: SettingGroup, { isOn, offered }: Site): AnySetting[] {
  return settingGroups[group].filter((name) => {
    const { shownWith } = declarationOf(name)
    return (shownWith === undefined || isOn(shownWith)) && isInLanguages(name, offered)
  })
}

/** Whether a setting is a text in one of these languages, or in none. */
export function isInLanguages(name: string, offered: Site['offered']): boolean {
  const language = /(?:Zh|En)$/.exec(name)?.[0].toLowerCase()
  return language === undefined || offered.some((one) => one === language)
}
