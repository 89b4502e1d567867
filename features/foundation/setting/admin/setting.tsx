import type { ComponentType } from 'react'
import { createStore } from '#base/web/store.ts'
import type { SettingGroup } from '#setting/contract.ts'

type Preview = ComponentType<{ /** The values of the form. */ wanted: () => Record<string, unknown> }>

/** Previews of the forum before a group is saved; set by the app, because they belong to features above. */
export const previews = createStore<Partial<Record<SettingGroup, Preview>>>({})
