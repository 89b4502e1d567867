import { createStore } from '#base/web/store.ts'

/** True while the panel of the AI assistant is open. Editors and shortcuts set it; the assistant feature renders it. */
export const assistantIsOpen = createStore(false)

type Explain = (code: string, language: string) => void

/** The editor that last received a text or a picture from the assistant. Its form is then marked as AI-generated. */
export const lastGeneratedEditor = createStore<{ isOf(draftKey: string): boolean } | null>(null)

/** Asks the assistant to explain code of a post; null where the reader may not use it. */
export const codeExplainer = createStore<Explain | null>(null)
