import compile from 'icu-minify/compile'
import { expect, test } from 'vitest'
import { formatText } from '#base/server/words.ts'
import { translatorFor } from '#base/web/words.tsx'
import { allWords, program, textOf } from './repository.ts'

type Value = string | number | Date

// Kinds of nodes in a compiled text.
const [select, plural, ordinal, number, date, time] = [1, 2, 3, 4, 5, 6]
const numbers = [1, 0, 2, 1234567.891, 0.125, -3]
const dates = [new Date('2026-12-01T08:05:00Z'), new Date('2027-01-31T23:59:59Z')]

for (const language of ['en', 'zh'] as const) {
  test(`every text is the same on a page as from the server, with any values, in ${language}`, () => {
    const texts = allWords().flatMap(({ name, ...words }) =>
      Object.entries(words[language]).map(([key, text]) => ({ name, key, text: String(text) })),
    )
    expect(texts.length).toBeGreaterThan(2_000)
    const different = texts.flatMap(({ name, key, text }) => {
      const compiled = compile(text)
      if (typeof compiled === 'string') return []
      const onPage = translatorFor({ language, messages: { it: { text: compiled } } })
      return numbers.flatMap((_, round) => {
        const values = valuesFor(compiled, round)
        const [page, server] = [onPage('it.text', values), formatText(language, text, values as Record<string, string>)]
        return page === server ? [] : [`${name}.${key}: “${page}” on a page, “${server}” from the server`]
      })
    })
    expect(different).toEqual([])
  })
}

test('two values of a list never run together, in either language', () => {
  const lists = program().flatMap((path) =>
    [...textOf(path).matchAll(/new Intl\.ListFormat\((?:language(?:, (\{[^}]*\}))?\))?/g)].map(([made, options = '']) => ({
      path,
      made,
      options,
    })),
  )
  expect(lists.filter(({ made }) => !made.endsWith(')'))).toEqual([])
  expect(lists.length).toBeGreaterThan(3)
  for (const { path, options } of lists) {
    const type = /type: '(\w+)'/.exec(options)?.[1] as Intl.ListFormatType | undefined
    for (const language of ['en', 'zh']) {
      const said = new Intl.ListFormat(language, { ...(type && { type }) }).format(['100 积分', '5 元'])
      expect(said, path).not.toContain('积分5')
    }
  }
})

/** A value for each placeholder: another one in each round, and each choice of those that choose. */
function valuesFor(compiled: unknown, round: number): Record<string, Value> {
  const values: Record<string, Value> = {}
  collect(compiled)
  return values

  function collect(parts: unknown): void {
    if (!Array.isArray(parts)) return
    for (const part of parts) {
      if (!Array.isArray(part)) continue
      const [name, kind, style] = part as [string, number?, Record<string, unknown>?]
      const choices = kind === select || kind === plural || kind === ordinal ? Object.keys(style ?? {}) : []
      if (kind === number || kind === plural || kind === ordinal) values[name] = numbers[round] ?? 0
      else if (kind === date || kind === time) values[name] = dates[round % dates.length] ?? ''
      else if (kind === select) values[name] = choices[round % choices.length] ?? ''
      else values[name] ??= `a “${name}”`
      for (const choice of choices) collect(style?.[choice])
    }
  }
}
