import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { anyDocument } from '#base/testing/rich-text-factories.ts'
import { withCurrentNames } from '#base/rich-text/normalise.ts'
import { mentionsOf } from '#base/rich-text/to-text.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { runs } from '#base/testing/extent.ts'
import { withNames } from '#user/server/user.ts'
import { mention, paragraph } from '#writing/testing/factories.ts'

const store = await freshDatabase()
afterAll(() => store.close())
const { app } = store.database

// Characters with a meaning in HTML, in JSON, or in a replacement string.
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '&', '"', "'", '<', '>', '$', '1', '[', ']', '/', 'é', '名', '😀'), maxLength: 15 }),
  fc.string({ maxLength: 15 }),
)
const document = fc
  .tuple(
    anyDocument,
    fc.constantFrom('7', '71', '17'),
    name,
    fc.constantFrom(
      '"type": "mention", "attrs": {"id": "7", "label": "x"}',
      '@[x](member:9)',
      '<a class="mention" href="/user/control/home?userId=7">@x</a>',
      '\\"',
    ),
  )
  .map(([{ content }, id, label, text]): Doc => ({
    type: 'doc',
    content: [...content, paragraph(mention(id, label), { type: 'text', text }, mention('7', label))],
  }))
  // No request contains a NUL: the server refuses its body.
  .filter((doc) => !JSON.stringify(doc).includes(String.raw`\u0000`))

const htmlOf = (doc: Doc) =>
  toSegments(doc, {
    picture: () => null,
    mention: (id) => ({ href: `/user/control/home?userId=${id}`, name: mentionsOf(doc).find((one) => one.id === id)?.label ?? '' }),
  })

test('the database renames in a document and in its HTML as the program does, and nothing else in them', async () => {
  await fc.assert(
    fc.asyncProperty(document, name, async (doc, now) => {
      const html = htmlOf(doc)
      const { rows } = await sql<{
        doc: Doc
        html: unknown
        members: string[]
      }>`select rename_in_document(${JSON.stringify(doc)}::jsonb, 7, ${now}) as doc,
        rename_in_html(${JSON.stringify(html)}::jsonb, 7, ${now}) as html, members_named(${JSON.stringify(doc)}::jsonb)::text[] as members`.execute(
        app,
      )
      expect(rows[0]?.doc).toEqual(JSON.parse(JSON.stringify(withCurrentNames(doc, (id) => (id === '7' ? now : undefined)))))
      expect(rows[0]?.html).toEqual(withNames(html, new Map([['7', { name: now }]])))
      expect(rows[0]?.members).toEqual(expect.arrayContaining(mentionsOf(doc).map(({ id }) => id)))
    }),
    { numRuns: runs(500) },
  )
})
