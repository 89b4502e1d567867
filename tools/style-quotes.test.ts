import { expect, test } from 'vitest'
import { files, pathOf, textOf } from './repository.ts'

// A sentence that names a file ends in `From `#topic/server/topic.ts`:` before its quote.
const quotes = [...textOf('STYLE.md').matchAll(/(?:From\s`(#[^`]+)`:\n\n)?```(?:ts|tsx|sql)\n(.*?)```/gs)].map(([, file, code = '']) => ({
  file,
  code,
}))

test('each quote of the style guide is a piece of the file that it names, or of any file', () => {
  expect(quotes.length).toBeGreaterThan(6)
  const everything = files(/^(apps|base|database|features)\/.*\.(ts|tsx|sql)$/)
  const lost = quotes.filter(({ file, code }) => !(file ? [pathOf(file)] : everything).some((path) => holds(textOf(path), code)))
  expect(lost.map(({ file, code }) => `${file ?? 'any file'}: ${code}`)).toEqual([])
})

/** Whether a text has all parts of a quote in their order; an ellipsis stands for lines left out. */
function holds(whole: string, code: string): boolean {
  let rest = plain(whole)
  return code
    .split(/^\s*…\s*$/m)
    .map(plain)
    .every((part) => {
      const at = rest.indexOf(part)
      rest = rest.slice(at + part.length)
      return at >= 0
    })
}

function plain(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim()
}
