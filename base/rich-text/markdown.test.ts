import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentOf, hasShape } from '#base/rich-text/document.ts'
import { anyDocument, anyMarkdown, anyReply } from '#base/rich-text/example.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { normalise } from '#base/rich-text/normalise.ts'

test('a document written as Markdown and read again is the same document', () => {
  fc.assert(
    fc.property(anyDocument, (doc) => {
      expect(fromMarkdown(toMarkdown(doc))).toEqual(normalise(doc))
    }),
    { numRuns: 2000 },
  )
}, 60_000)
