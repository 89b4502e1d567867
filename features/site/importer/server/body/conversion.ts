import type { Piece } from '#importer/server/body/pieces.ts'
import type { Element } from '#importer/server/body/element.ts'
import type { SourceBody } from '#importer/server/source.ts'

export type BodyOptions = {
  /** The files of the post as its tags count them: in phpBB the newest first. */
  attachments?: readonly { id: string; name: string }[]
  /** The upload of an id or an address in the text. */
  fileAt?(reference: string): { id: string; name: string } | null
  /** It is a post that may have hidden parts: an opening or a comment. */
  hides?: boolean
}

/** A body, and the ids of the files that stand in its text; the others stand below it. */
export type BodyWithFiles = SourceBody & { shownFileIds: readonly string[] }

/** The state of converting one body. */
export type Conversion = {
  options: BodyOptions
  notes: Set<string>
  shownFileIds: Set<string>
  /** The pieces of the children. */
  inner(element: Element): Piece[]
}

export type Converter = (element: Element, conversion: Conversion) => Piece[]
