import { storeOf } from '#base/web/store.ts'

/** True while the panel of the AI assistant is open. Editors and shortcuts open it; the feature that draws it watches this. */
export const assistantIsOpen = storeOf(false)

type Explain = (code: string, language: string) => void

/** Asks the assistant to explain code of a post; null where the reader may not ask it. */
export const codeExplainer = storeOf<Explain | null>(null)
