import { expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown, maxMarkdownLength, toMarkdown } from '#base/rich-text/markdown.ts'
import { pageFrom } from '#base/rich-text/page.ts'
import { markdownOf, parseMarkdown, renderPage, renderPages } from '#base/server/long-text.ts'
import { repeated } from '#base/testing/hostile-inputs.ts'
import { countingSteps } from '#base/testing/steps.ts'

// The most expensive repeated texts.
const pieces = ['- a\n', '+ a\n\n', '|-|\n', '|-\n|-\n\n', '*a* ', '- > - > a\n']
const long = 40_000
// In this thread it would take 80,000 to 500,000 steps; the rest of a busy machine takes some 10,000 meanwhile.
const fewSteps = 50_000

const aDocument = (piece: string): Doc => ({ type: 'doc', content: fromMarkdown(repeated(piece, long)).content })

test.each(pieces)('a page of %j is read beside this thread, as it would be in it', async (piece) => {
  const text = repeated(piece, long)
  await renderPage(text)
  const steps = await countingSteps((stepsOf) => stepsOf(() => renderPage(text)))
  expect(steps).toBeLessThan(fewSteps)
  expect(await renderPage(text)).toEqual(pageFrom(text))
})

test.each(pieces)('a post of %j is written beside this thread, as it would be in it', async (piece) => {
  const doc = aDocument(piece)
  await markdownOf(doc)
  const steps = await countingSteps((stepsOf) => stepsOf(() => markdownOf(doc)))
  expect(steps).toBeLessThan(fewSteps)
  expect(await markdownOf(doc)).toBe(toMarkdown(doc))
})

test.each(pieces)('a text of %j is parsed beside this thread, as it would be in it', async (piece) => {
  const text = repeated(piece, long)
  await parseMarkdown(text)
  const steps = await countingSteps((stepsOf) => stepsOf(() => parseMarkdown(text)))
  expect(steps).toBeLessThan(fewSteps)
  expect(await parseMarkdown(text)).toEqual(fromMarkdown(text, { hides: false }))
})

test('many texts that are long together are read beside this thread, each as itself', async () => {
  const texts = Array.from({ length: 100 }, (_, at) => repeated(`- ${at}\n`, long / 100))
  const read = async () => texts.map(await renderPages([...texts, ...texts]))
  const pages = await read()
  expect(await countingSteps((stepsOf) => stepsOf(read))).toBeLessThan(fewSteps)
  expect(pages).toEqual(texts.map(pageFrom))
})

test('texts rendered at once each get their own result', async () => {
  const texts = pieces.map((piece) => repeated(piece, long / 2))
  const pages = await Promise.all(texts.map(renderPage))
  expect(pages).toEqual(texts.map(pageFrom))
})

test('a text that cannot be read fails alone', async () => {
  const text = repeated('**a** ', long)
  const [failed, read] = await Promise.allSettled([parseMarkdown('a'.repeat(maxMarkdownLength + 1)), parseMarkdown(text)])
  expect(failed.status).toBe('rejected')
  expect(read).toEqual({ status: 'fulfilled', value: fromMarkdown(text, { hides: false }) })
})
