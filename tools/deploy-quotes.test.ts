import { expect, test } from 'vitest'
import { files, textOf } from './repository.ts'

// Tests, and what they share, are for nobody to copy.
const copied = files(/^deploy\//).filter((path) => path !== 'deploy/README.md' && !/\.ts$|\.test\.yml$|\/testing\//.test(path))
const documents = files(/^(docs|deploy)\/.*\.md$|^README.*\.md$/)

// A fence whose info string names a file: ```nginx deploy/nginx/one-server.conf
const quotes = documents.flatMap((path) =>
  [...textOf(path).matchAll(/^```\w* (deploy\/\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => ({ path, file, code })),
)

test('what documents quote from a deploy file stands there, line by line, in this order', () => {
  expect(quotes.length).toBeGreaterThan(3)
  const lost = quotes.filter(({ file, code }) => !copied.includes(file) || !holds(textOf(file), code))
  expect(lost.map(({ path, file, code }) => `${path}, from ${file}: ${code}`)).toEqual([])
})

test.each(['deploy/README.md', 'docs/operations.md'])('each deploy file is named in %s', (path) => {
  const text = textOf(path)
  // Relative links in the folder itself, paths from the root elsewhere.
  const nameIn = (file: string) => (path.startsWith('deploy/') ? file.slice('deploy/'.length) : file)
  expect(copied.filter((file) => !text.includes(nameIn(file)))).toEqual([])
})

/** Whether a text has all lines of a quote in their order. Indentation is free, and an ellipsis stands for lines left out. */
function holds(whole: string, code: string): boolean {
  const rest = linesOf(whole)
  return linesOf(code)
    .filter((line) => line !== '…')
    .every((line) => {
      const at = rest.indexOf(line)
      rest.splice(0, at + 1)
      return at >= 0
    })
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}
