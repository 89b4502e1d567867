import { z } from 'zod'
import type { DocumentLimits } from '#base/rich-text/check-document.ts'
import { documentParts } from '#base/rich-text/document.ts'
import { DocumentView } from '#writing/contract.ts'

type Json = Record<string, unknown>
type DocumentPart = keyof typeof documentParts

const schemasPath = '#/components/schemas/'

/**
 * JSON Schemas of a post's document, generated from the contract's checks, with the rules that a schema cannot express in the descriptions.
 */
export function documentSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(documentParts)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `${schemasPath}${id}` })
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => {
      const { $schema: _, $id: __, ...schema } = schemas[name] as Json
      return [name, { description, ...schema, ...(name === 'Document' && { example }) }]
    }),
  )
}

/** Replaces a document in a call's schema by a reference, and adds its limits. */
export function pointToDocuments({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Json }): void {
  if (zodSchema === DocumentView) jsonSchema['$ref'] = `${schemasPath}Document`
  const limits = jsonSchema['document'] as DocumentLimits | undefined
  if (!limits) return
  const { isPlain, hides: _, ...numbers } = limits
  delete jsonSchema['document']
  jsonSchema['$ref'] = schemasPath + (isPlain ? 'ReplyDocument' : 'Document')
  jsonSchema['description'] = inWords(limits)
  jsonSchema['x-limits'] = numbers
}

function inWords({ characters, pictures, files, mentions, nodes, depth, isPlain }: DocumentLimits): string {
  const [long, many] = [characters, nodes].map((number) => number.toLocaleString('en'))
  const kinds = isPlain ? `${pictures} pictures` : `${pictures} pictures, ${files} files`
  return `At most ${long} characters of text, ${kinds}, ${mentions} mentions and ${many} nodes, ${depth} levels deep; and something to see. The site's settings may allow less.`
}

const descriptions: Record<DocumentPart, string> = {
  Document:
    'What a topic or a comment says; hidden parts are for topics. A form sends it as JSON text. It is kept in one form: empty paragraphs go, texts with the same marks are joined.',
  ReplyDocument: 'What a reply says: paragraphs and pictures alone.',
  Block: 'A piece that stands by itself, one below the other.',
  Paragraph: 'A paragraph. One without content is left out.',
  ListItem: 'An item of a bulleted or numbered list.',
  TaskItem: 'An item of a list of tasks, done or not.',
  TableRow: 'A row of a table. The first is its head; shorter rows are filled up.',
  TableCell: 'A cell, with one paragraph. Columns stand as their first cell does.',
  Image: 'A picture. `file` is what its upload gave; `alt` says what it shows to those who cannot see it.',
  File: 'A file to be saved. `file`, `name` and `bytes` are what its upload gave.',
  Hidden:
    'What is shown to those who open it. `value` is the password, empty to keep the one it has; nothing for a comment; the points that a level needs; a price in points, or in cents for `balance`. The `id` of a part that is there keeps it for who opened it; with the id and no content it stays as it is.',
  Inline: 'What stands in a line.',
  Text: 'Text, whole characters without NUL, and how it is marked.',
  Mention: 'A member, by id. They are shown by the name they have then, whatever the label says.',
  Mark: 'How text is marked. A link leads to http:, https: or mailto:, or to a path of this site; at most 2,000 characters.',
}

const example = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Two cups' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Water at ' },
        { type: 'text', text: '90 °C', marks: [{ type: 'bold' }] },
        { type: 'text', text: ', says ' },
        { type: 'mention', attrs: { id: '7', label: 'mei' } },
      ],
    },
    {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Rinse the pot first.' }] }] }],
    },
    { type: 'codeBlock', attrs: { language: 'javascript' }, content: [{ type: 'text', text: "steep('oolong', 45)" }] },
  ],
}
