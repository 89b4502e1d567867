import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { wholeDocument } from '#base/rich-text/document.ts'
import { attachmentsOf, mentionsOf, picturesOf } from '#base/rich-text/to-text.ts'
import { runs, seed } from '#base/testing/extent.ts'
import { anyDocument } from '#base/testing/rich-text-factories.ts'
import { bodyOf, type StoredParts } from '#exporter/server/body.ts'
import { aNewForum, anExport, bring, comparable, differences, linesIn, newcomersOf } from '#base/testing/exports.ts'
import { lineOf, runImport } from '#importer/server/importer.ts'
import { mappingSchema } from '#importer/server/mapping.ts'
import { rowSchemas } from '#importer/server/teahouse/format.ts'
import { resolved, type References } from '#importer/server/write/documents.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import { communities } from '#importer/testing/random-community.ts'
import { aReader } from '#importer/testing/small-community.ts'

const mapping = mappingSchema.parse({ points: 'p', money: { credit: 'm', centsPerUnit: 10 }, groups: {}, members: {}, language: 'en' })
const sizes = { members: 8, threads: 6, comments: 40, marks: 12 }

test('any community that is exported and imported is exported equally', async () => {
  await fc.assert(
    fc.asyncProperty(communities(sizes), fc.constantFrom(1, 7, 50), async (community, perPage) => {
      const [old, forum] = [await aNewForum(), await aNewForum()]
      try {
        const reader = aReader(community, { perPage, hasFloors: true })
        await runImport({ ...old, reader, targetOf: () => null, mapping, report: () => undefined })
        const first = await anExport(old, ['passwords', 'messages', 'hidden'])
        await bring(first, forum)
        const second = await newcomersOf(forum, await anExport(forum, ['passwords', 'messages', 'hidden']))
        expect(differences(comparable(second), comparable(await linesIn(first)))).toEqual([])
      } finally {
        await old.close()
        await forum.close()
      }
    }),
    { numRuns: runs(20), seed, endOnFailure: true },
  )
})

/** A document as it is saved: its public form, and its hidden parts. */
function saved(document: Doc): { open: Doc; parts: StoredParts } {
  const parts: Record<string, StoredParts[string]> = {}
  const content = document.content.map((block): Block => {
    if (block.type !== 'hidden') return block
    const { id = '', lock, value } = block.attrs
    parts[id] = { document: { type: 'doc', content: block.content ?? [] }, hash: lock === 'password' ? '$argon2id$' : null }
    return { type: 'hidden', attrs: { id, lock, value } }
  })
  return { open: { type: 'doc', content }, parts }
}

/** Files and members that have the same ids here. */
function referencesTo(document: Doc): References {
  const picture = picturesOf(document).map(({ file: id }) => [id, { id, kind: 'picture' as const }] as const)
  const attachment = attachmentsOf(document).map(({ file: id }) => [id, { id, kind: 'attachment' as const }] as const)
  const its = { name: null, width: 1, height: 1, bytes: 1, picture: null, attachment: null }
  return {
    files: new Map([...picture, ...attachment].map(([id, one]) => [id, { ...its, ...one }])),
    people: new Map(mentionsOf(document).map(({ id, label }) => [`member/${id}`, { id, name: label }])),
    links: new Map(),
    missing: new Set(),
    picture: () => null,
    attachment: () => null,
    mention: () => null,
  }
}

/** Each hidden part with an id of its own, and passwords as they are stored: not at all. */
function withPartIds({ content }: Doc): Doc {
  return {
    type: 'doc',
    content: content.map((block, index): Block => {
      if (block.type !== 'hidden') return block
      const { lock, value } = block.attrs
      return { ...block, attrs: { id: `h_${index}`, lock, value: lock === 'password' ? '' : value } }
    }),
  }
}

/** Each mention has a member of its own, and no file is a picture and an attachment. */
function isUnambiguous(document: Doc): boolean {
  const [mentions, pictures] = [mentionsOf(document), new Set(picturesOf(document).map(({ file }) => file))]
  return new Set(mentions.map(({ id }) => id)).size === mentions.length && attachmentsOf(document).every(({ file }) => !pictures.has(file))
}

test('any document of a post comes back as it was, with its hidden parts', () => {
  const documents = anyDocument.map((document) => withPartIds(normalise(document)))
  const reader = { ...aReader({}), same: { highestIds: {} } }
  const context = { reader, keepsIds: true } as unknown as ImportContext
  fc.assert(
    fc.property(documents, (document) => {
      fc.pre(wholeDocument.safeParse(document).success && isUnambiguous(document))
      fc.pre(document.content.every((block) => block.type !== 'hidden' || block.content !== undefined))
      const { open, parts } = saved(document)
      const line = lineOf(bodyOf(open, parts))
      const body = rowSchemas.messages.shape.body.parse(JSON.parse(line))
      expect(resolved(context, { body, fileIds: [] }, referencesTo(document))).toEqual(document)
    }),
    { numRuns: runs(2_000), seed },
  )
})
