import type { ComponentType } from 'react'
import { storeOf } from '#base/web/store.ts'
import type { SettingGroup } from '#setting/contract.ts'

type Preview = ComponentType<{ /** What stands in the form. */ wanted: () => Record<string, unknown> }>

/** What shows, before a group is saved, what it would make of the forum; the app sets it, since it speaks of what lies below. */
export const previews = storeOf<Partial<Record<SettingGroup, Preview>>>({})
