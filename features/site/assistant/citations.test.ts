import { expect, test } from 'vitest'
import { citedSources, citeSources } from '#assistant/citations.ts'
import { allowSources, documentOf } from '#assistant/links.ts'
import { toMarkdown } from '#base/rich-text/markdown.ts'

const sources = Array.from({ length: 12 }, (_, at) => ({ number: at + 1, title: `Topic ${at + 1}`, path: `/thread?topicId=${at + 1}` }))

function cited(answer: string, of = sources) {
  const doc = citeSources(documentOf(answer, allowSources(of, [])), of)
  return { text: toMarkdown(doc).trim(), list: citedSources(doc, of).map(({ number }) => number) }
}

test('marks that name a source lead to it, others go, and the list counts as the text does', () => {
  const { text, list } = cited('Hot [8], long 【3】 and <cite>2</cite> often [77], says [Topic 12](/thread?topicId=12) 【99†source】.')
  expect(text).toBe(
    String.raw`Hot [\[1\]](/thread?topicId=8), long [\[2\]](/thread?topicId=3) and [\[3\]](/thread?topicId=2) often, says [Topic 12](/thread?topicId=12).`,
  )
  expect(list).toEqual([8, 3, 2, 12])
})

test.each([
  '[5]',
  '【5】',
  '【5†source】',
  '【5†L1-L9】',
  '<cite>5</cite>',
  '<cite id="5">[5]</cite>',
  '[^5]',
  '[citation:5]',
  '[来源5]',
  '<sup>[5]</sup>',
  '^[5]^',
  '[ref_5]',
])('a mark written as %s leads to its source', (mark) => {
  expect(cited(`Hot water${mark}.`)).toEqual({ text: String.raw`Hot water[\[1\]](/thread?topicId=5).`, list: [5] })
})

test('several in one mark lead to each, and a second citation has the number of the first', () => {
  expect(cited('Hot [5, 7]. Long [7].').text).toBe(
    String.raw`Hot [\[1\]](/thread?topicId=5)[\[2\]](/thread?topicId=7). Long [\[2\]](/thread?topicId=7).`,
  )
})

test('a cited answer is unchanged by another pass, and code is not cited', () => {
  const once = cited('Hot [8]. `a[8]`\n\n```js\nb[8]\n```').text
  expect(cited(once).text).toBe(once)
  expect(once).toContain('`a[8]`')
  expect(once).toContain('b[8]')
})

test('numbers in brackets of an answer without sources stay, and marks that can be nothing else go', () => {
  expect(cited('a[1] and 【3】 and <cite>2</cite>.', []).text).toBe(String.raw`a\[1\] and and.`)
})
