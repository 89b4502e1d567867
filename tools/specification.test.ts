import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = new URL('../', import.meta.url)

/** The rules of sections 2 to 9 of the specification: where each lives, and the tests that hold it. */
const Rule = z.strictObject({
  section: z.int().min(2).max(9),
  rule: z.string().regex(/^[A-Z].*[.]$/),
  lives: z.array(z.string()).min(1),
  held: z.array(z.strictObject({ file: z.string(), test: z.string() })).min(1),
  /** How this product differs on purpose. */
  differs: z.string().optional(),
})
const rules = z.array(Rule).parse(JSON.parse(readFileSync(new URL('specification.json', import.meta.url), 'utf8')))

const pathOf = (file: string) => fileURLToPath(new URL(file, root))

test('every section of the specification has its rules, each once', () => {
  expect([...new Set(rules.map(({ section }) => section))]).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length)
})

test('every rule of the specification lives where the table says', () => {
  expect(rules.flatMap(({ rule, lives }) => lives.filter((file) => !existsSync(pathOf(file))).map((file) => `${rule} ${file}`))).toEqual([])
})

test('every rule of the specification has its tests, under the names that the table says', () => {
  const gone = rules.flatMap(({ held }) => held.filter(({ file, test: name }) => !hasTest(readText(file), name)))
  expect(gone).toEqual([])
})

function readText(file: string): string {
  return existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : ''
}

function hasTest(text: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => text.includes(`(${quote}${name}${quote},`))
}
