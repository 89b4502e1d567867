import { storeOf } from '#base/web/store.ts'

/** Whether the panel of the AI assistant is open. Editors and shortcuts open it; the feature that draws it watches this. */
export const assistantIsOpen = storeOf(false)
