import { createStore } from '#base/web/store.ts'

/** True once a draft is open in this tab, which loads the syncing code. */
export const isDrafting = createStore(false)
