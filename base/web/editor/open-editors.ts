import type { Doc } from '#base/rich-text/document.ts'
import { storeOf } from '#base/web/store.ts'

export type OpenEditor = {
  insertCode(code: string, language: string): void
  /** Inserts Markdown, as far as the post may hold it. */
  insertMarkdown(text: string): void
  /** Brings a picture to the site as one's own, and puts it in. */
  insertPicture(file: File): void
  /** Puts in what somebody said. */
  quote(text: string): void
  isOf(draftKey: string): boolean
  /** The document that Markdown means, as far as the post may hold it. */
  parse(markdown: string): Doc
  /** The current text. */
  read(): Doc
  /** Puts another text in its place, which can be undone. */
  replace(doc: Doc): void
  /** Whether it holds what somebody wrote and has not sent. */
  isBegun(): boolean
}

/** The editors on the page, the one used last at the end. Code from a post goes into that one. */
export const openEditors = storeOf<readonly OpenEditor[]>([])

/** Counts what was put into an editor from elsewhere on the page. */
export const insertions = storeOf(0)

export function enter(editor: OpenEditor): void {
  if (openEditors.get().at(-1) !== editor) openEditors.set([...openEditors.get().filter((other) => other !== editor), editor])
}

export function leave(editor: OpenEditor): void {
  openEditors.set(openEditors.get().filter((other) => other !== editor))
}
