import type { ComponentType } from 'react'
import { storeOf } from '#base/web/store.ts'

/** True while the panel of the AI assistant is open. Editors and shortcuts open it; the feature that draws it watches this. */
export const assistantIsOpen = storeOf(false)

type Explain = (code: string, language: string) => void

/** The editor that a text or a picture of the assistant was put into last. Its form declares that by itself. */
export const generatedIn = storeOf<{ isOf(draftKey: string): boolean } | null>(null)

/** Asks the assistant to explain code of a post; null where the reader may not ask it. */
export const codeExplainer = storeOf<Explain | null>(null)

export type WritingHelpProps = {
  /** Of the editor in which one writes. */
  draftKey: string
  /** The kind of thread that the text opens, under a title and tags. */
  opens?: string | undefined
}

/** The assistant's tools for the author of a text; null where they may not ask it. Each field in which a post is written draws them. */
export const writingHelp = storeOf<{ WritingHelp: ComponentType<WritingHelpProps> } | null>(null)
