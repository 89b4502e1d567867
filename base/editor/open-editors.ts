import type { Doc } from '#base/rich-text/document.ts'
import { createStore } from '#base/web/store.ts'

export type OpenEditor = {
  insertCode(code: string, language: string): void
  /** Inserts Markdown, as far as the post allows it. */
  insertMarkdown(text: string): void
  /** Uploads a picture as the member's own, and inserts it. */
  insertPicture(file: File): void
  /** Inserts a quotation. */
  quote(text: string): void
  isOf(draftKey: string): boolean
  /** The document of a Markdown text, as far as the post allows it. */
  parse(markdown: string): Doc
  read(): Doc
  /** Replaces the text, as one undo step. */
  replace(doc: Doc): void
  /** Whether it holds unsent text. */
  hasUnsentText(): boolean
}

/** The editors on the page, the one used last at the end. Code copied from a post goes into that one. */
export const openEditors = createStore<readonly OpenEditor[]>([])

/** The number of insertions into editors from elsewhere on the page. */
export const insertions = createStore(0)

export function registerEditor(editor: OpenEditor): void {
  if (openEditors.get().at(-1) !== editor) openEditors.set([...openEditors.get().filter((other) => other !== editor), editor])
}

export function unregisterEditor(editor: OpenEditor): void {
  openEditors.set(openEditors.get().filter((other) => other !== editor))
}
