import { z } from 'zod'
import { expect, test } from 'vitest'
import { endSchema, kinds, manifestSchema, partSchemas, rowSchemas } from '#importer/server/importer.ts'
import { textOf } from '../../../../tools/repository.ts'

/** The fields in the tables below each heading of the third level. */
function documented(path: string): Map<string, string[]> {
  const sections = textOf(path).split('\n### ').slice(1)
  return new Map(
    sections.map((section) => {
      const [heading = ''] = section.split('\n', 1)
      const rows = section.split('\n## ', 1)[0]?.match(/^\| `[^|]+\|/gm) ?? []
      return [heading, rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted()]
    }),
  )
}

const named: readonly z.ZodType[] = Object.values(partSchemas)

/** The fields of a row; of an object in it that has no name of its own, those within. */
function fieldsOf(schema: z.ZodType, prefix = ''): string[] {
  if (prefix !== '' && named.includes(schema)) return [prefix]
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap() as z.ZodType, prefix)
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, prefix)
  if (!(schema instanceof z.ZodObject) || ['counts', 'highestIds'].includes(prefix)) return [prefix]
  const shape: Record<string, z.ZodType> = schema.shape
  return Object.entries(shape).flatMap(([name, inner]) => fieldsOf(inner, prefix === '' ? name : `${prefix}.${name}`))
}

/** Comments have the fields of a post besides their own. */
const ofPost = new Set(fieldsOf(partSchemas.post))
const expected = new Map([
  ...kinds.map((kind) => [kind, fieldsOf(rowSchemas[kind]).filter((field) => kind !== 'comments' || !ofPost.has(field))] as const),
  ...Object.entries(partSchemas).map(([name, schema]) => [name, fieldsOf(schema)] as const),
])

test.each([
  { path: 'docs/moving-out.md', first: 'First line', last: 'Last line' },
  { path: 'docs/moving-out.zh.md', first: '第一行', last: '最后一行' },
])('$path names every field of every file, and no other', ({ path, first, last }) => {
  const fields = new Map([...expected, [first, fieldsOf(manifestSchema)], [last, fieldsOf(endSchema)]])
  const sorted = [...fields].map(([name, all]) => [name, [...all].toSorted()] as const)
  expect(Object.fromEntries(documented(path))).toEqual(Object.fromEntries(sorted))
})
