import type { Piece } from '#importer/server/body/pieces.ts'
import type { Element } from '#importer/server/body/element.ts'
import type { SourceBody } from '#importer/server/source.ts'

export type BodyOptions = {
  /** The files of the post as its tags count them: in phpBB the newest first. */
  attachments?: readonly { id: string; name: string }[]
  /** It is the opening of a topic, which may have hidden parts. */
  hides?: boolean
}

/** A body, and the ids of the files that stand in its text; the others stand below it. */
export type BodyWithFiles = SourceBody & { shownFileIds: readonly string[] }

/** The state of converting one body. */
export type Conversion = {
  options: BodyOptions
  notes: Set<string>
  shownFileIds: Set<string>
  /** Whether blocks stand at the top level of the document. */
  isTop: boolean
  /** The pieces of the children, at the same level. */
  inner(element: Element): Piece[]
  /** The pieces of the children, within a block. */
  within(element: Element): Piece[]
  /** Counts a hidden part; false when a document has no room for another. */
  takesHiddenPart(): boolean
}

export type Converter = (element: Element, conversion: Conversion) => Piece[]
