import type { Option } from '#base/admin/one-of.tsx'
import type { Api } from '#base/contract.ts'
import { storeOf } from '#base/web/store.ts'

/** Finds members by name; set by the app, because most features do not know members. */
export const people = storeOf<(typed: string, api: Api) => Promise<Option[]>>(() => Promise.resolve([]))
