import { refusalAt, throwAll, type Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { collect, featuresOf } from '#base/server/feature.ts'
import { LanguageNotOffered, MoreThanMost, NeededByProvider } from '#setting/contract.ts'
import { allSettings, declarationOf, type AnySetting, type Settings } from '#setting/staff-contract.ts'
import { secretsSet } from '#setting/server/sealed.ts'
import { stored } from '#setting/server/stored.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Checks across its settings; the page and the operator's tool refuse what fails. */
    readonly settingChecks?: readonly SettingCheck[]
  }
}

type CheckContext = { db: Db; settings: Settings; isSet: (name: AnySetting) => boolean }

/** A check across settings: the settings it reads, and its errors. */
export type SettingCheck = {
  reads: readonly AnySetting[]
  errorsIn(context: CheckContext): readonly Refusal[] | Promise<readonly Refusal[]>
}

/** Refuses invalid combinations, each at its field. A change is not refused for an earlier fault of other settings. */
export async function crossCheck(tx: Db, changed: readonly string[]): Promise<void> {
  const checks = checksOf(tx).filter(({ reads }) => reads.some((name) => changed.includes(name)))
  throwAll(await failuresOf(tx, checks))
}

/** All invalid combinations among the stored settings. */
export function crossCheckErrors(db: Db): Promise<Refusal[]> {
  return failuresOf(db, checksOf(db))
}

function checksOf(db: Db): readonly SettingCheck[] {
  return [...rangeChecks, ...collect(featuresOf(db), 'settingChecks')]
}

async function failuresOf(db: Db, checks: readonly SettingCheck[]): Promise<Refusal[]> {
  if (checks.length === 0) return []
  const [settings, isSet] = await Promise.all([stored(db), isSetNow(db)])
  const failures: Refusal[] = []
  for (const check of checks) failures.push(...(await check.errorsIn({ db, settings, isSet })))
  return failures
}

/** The settings with a value, including sealed ones. */
export async function isSetNow(db: Db): Promise<CheckContext['isSet']> {
  const [settings, sealed] = await Promise.all([stored(db), secretsSet(db)])
  return (name) => sealed.has(name) || Boolean((settings as Partial<Record<AnySetting, unknown>>)[name])
}

/** A choice that requires other settings. */
export function requiredBy(
  choices: readonly AnySetting[],
  others: readonly AnySetting[],
  needed: (its: Settings, isSet: CheckContext['isSet']) => readonly AnySetting[],
): SettingCheck {
  return {
    reads: [...choices, ...others],
    errorsIn: ({ settings, isSet }) =>
      needed(settings, isSet)
        .filter((name) => !isSet(name))
        .map((name) => refusalAt(name, NeededByProvider)()),
  }
}

const rangeChecks = (Object.keys(allSettings) as AnySetting[]).flatMap((name) => {
  const { notAbove } = declarationOf(name)
  return notAbove ? [minBelowMax(name, notAbove as AnySetting)] : []
})

/** A minimum and a maximum; a maximum of 0 turns the function off. */
function minBelowMax(min: AnySetting, max: AnySetting): SettingCheck {
  return {
    reads: [min, max],
    errorsIn({ settings }) {
      const { [min]: least, [max]: most } = settings as unknown as Readonly<Record<AnySetting, number>>
      return most !== 0 && least > most ? [refusalAt(min, MoreThanMost)({ most })] : []
    },
  }
}

export const settingChecks: readonly SettingCheck[] = [
  {
    reads: ['languages', 'defaultLanguage'],
    errorsIn: ({ settings: { languages, defaultLanguage } }) =>
      defaultLanguage && !languages.includes(defaultLanguage) ? [LanguageNotOffered()] : [],
  },
]
