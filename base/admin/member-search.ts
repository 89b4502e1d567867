import type { Option } from '#base/admin/combobox.tsx'
import type { Api } from '#base/contract.ts'
import { createStore } from '#base/web/store.ts'

/** Finds members by name; set by the app, because most features do not know members. */
export const memberSearch = createStore<(typed: string, api: Api) => Promise<Option[]>>(() => Promise.resolve([]))

/** Whether this member of staff may search for members; set by the app too. */
export const maySearchMembers = createStore<() => boolean>(() => false)
