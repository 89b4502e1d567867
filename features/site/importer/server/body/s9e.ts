import { bodyOf } from '#importer/server/body/body-of-elements.ts'
import type { BodyOptions, BodyWithFiles } from '#importer/server/body/conversion.ts'
import { treeOfXml } from '#importer/server/body/s9e-tree.ts'

/**
 * The document of a body in the XML of s9e\TextFormatter, which phpBB since 3.2 and Flarum store. Its elements say what was meant; its text
 * is what was typed, with the marks in `<s>`, `<e>` and `<i>`.
 */
export function documentFromS9e(xml: string, options: BodyOptions = {}): BodyWithFiles {
  const { root, isCut } = treeOfXml(xml)
  return bodyOf(root, options, isCut ? ['cut off'] : [])
}
