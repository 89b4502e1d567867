import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { markdownTools } from '#base/editor/markdown-tools.ts'

type Name = keyof typeof markdownTools

/** The text after a tool, with the selection in brackets before and after. */
function after(name: Name, marked: string): string {
  const [from, to] = [marked.indexOf('['), marked.indexOf(']') - 1]
  const text = marked.replace('[', '').replace(']', '')
  const change = markdownTools[name](text, from, to)
  const next = text.slice(0, change.from) + change.text + text.slice(change.to)
  const [start, end] = change.select
  return `${next.slice(0, start)}[${next.slice(start, end)}]${next.slice(end)}`
}

test.each<[Name, string, string]>([
  ['bold', 'hot [green] tea', 'hot **[green]** tea'],
  ['bold', 'hot **[green]** tea', 'hot [green] tea'],
  ['code', '[]', '`[]`'],
  ['heading', 'one\nt[]wo\nthree', 'one\n## two[]\nthree'],
  ['heading', '## t[]wo', 'two[]'],
  ['bulletList', 'o[ne\ntw]o', '[- one\n- two]'],
  ['orderedList', '[one\ntwo]', '[1. one\n2. two]'],
  ['orderedList', '[1. one\n2. two]', '[one\ntwo]'],
  ['quote', 'said[]', '> said[]'],
  ['codeBlock', 'a\n[b]\nc', 'a\n```\n[b]\n```\nc'],
])('%s makes of %j: %j', (name, marked, expected) => {
  expect(after(name, marked)).toBe(expected)
})

test('a link uses the selection as its text, and waits for its address', () => {
  expect(markdownTools.link('see tea', 4, 7)).toEqual({ from: 4, to: 7, text: '[tea](https://)', select: [10, 18] })
  expect(markdownTools.link('', 0, 0).select).toEqual([1, 1])
})

test('with any selection, marking twice restores the text, and stays valid Markdown', () => {
  const word = fc.stringMatching(/^[a-z]{1,6}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom('bold', 'strike', 'quote', 'bulletList'), (words, name) => {
      const text = words.join('\n')
      const once = markdownTools[name](text, 0, text.length)
      const marked = once.text
      const twice = markdownTools[name](marked, ...once.select)
      expect(marked.slice(0, twice.from) + twice.text + marked.slice(twice.to)).toBe(text)
      expect(fromMarkdown(marked).content.length).toBeGreaterThan(0)
    }),
  )
})
