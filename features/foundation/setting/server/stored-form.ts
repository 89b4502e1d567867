import type { Db } from '#base/server/database/database.ts'
import { refusalAt, type RefusalKind } from '#base/contract.ts'
import { collect, featuresOf } from '#base/server/feature.ts'
import type { AnySetting } from '#setting/contract.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Settings that staff may enter in several forms, of which one is stored. */
    readonly settingForms?: readonly SettingForm[]
  }
}

/** The stored form of a text as it was entered, or the error. */
export type SettingForm = { name: AnySetting; storedForm: (text: string) => string | RefusalKind }

/** A value in its stored form. One that cannot be read is refused at its field; other settings are returned unchanged. */
export function asStored(db: Db, name: AnySetting, value: unknown): unknown {
  const form = collect(featuresOf(db), 'settingForms').find((one) => one.name === name)
  if (!form || typeof value !== 'string') return value
  if (value.trim() === '') return ''
  const kept = form.storedForm(value)
  return typeof kept === 'string' ? kept : refusalAt(name, kept)()
}
