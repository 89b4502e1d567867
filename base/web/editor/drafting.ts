import { storeOf } from '#base/web/store.ts'

/** True once a draft of this tab is open: only then does what syncs drafts come. */
export const isDrafting = storeOf(false)
