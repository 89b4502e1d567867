import { expect, test } from 'vitest'
import { files, foldersIn, textOf } from './repository.ts'
import { folders, order } from '../features/order.js'

const code = files(/\.(ts|tsx|js|mjs)$/)
const ours = /^(apps|base|features|database|e2e|tools|scripts|bench)\//

test('every feature folder is in the order, once', () => {
  const all = foldersIn('features').flatMap((area) => foldersIn(`features/${area}`).map((name) => `${area}/${name}`))
  expect(all.filter((folder) => !folders.includes(folder))).toEqual([])
  expect(order.filter((name, index) => order.indexOf(name) !== index)).toEqual([])
})

test('features of one floor are together in the order', () => {
  const floors = folders.map((folder) => folder.split('/')[0])
  expect(floors.filter((floor, index) => floor !== floors[index - 1])).toEqual([...new Set(floors)])
})

test('folders are named for their subject, not for a kind of code', () => {
  const kinds = /(^|\/)(utils?|helpers?|common|types|services?|misc|lib|shared)\//
  expect(code.filter((path) => ours.test(path) && kinds.test(path))).toEqual([])
})

test('files are named in small letters with hyphens', () => {
  const names = files(/\.(ts|tsx|js|mjs|css|sql)$/).filter((path) => ours.test(path))
  expect(names.filter((path) => !/^[a-z0-9/-]+(\.[a-z]+)+$/.test(path))).toEqual([])
})

test('no directive silences the compiler, the linter or the formatter', () => {
  const hush = /@ts-(ignore|expect-error|nocheck)|(ox|es)lint-(disable|enable)|(prettier|oxfmt)-ignore|(v8|c8|istanbul) ignore/
  expect(linesWith(code, hush)).toEqual([])
})

test('no test waits to be written, is skipped or runs alone', () => {
  const waits = /\b(test|it|describe)\.(skip|only|todo|skipIf|fails)\b|\b(TODO|FIXME|XXX|HACK)\b/
  expect(
    linesWith(
      code.filter((path) => path !== 'tools/house.test.ts'),
      waits,
    ),
  ).toEqual([])
})

const tests = files(/\.(test|spec)\.tsx?$/).filter((path) => /^(apps|base|database|e2e|features)\//.test(path))

test('a test waits for a condition, and for no time', () => {
  const sleeps = /waitForTimeout\(|setTimeout\([^)]*\d{2,}|\bawait (setTimeout|wait|sleep)\(\d|\btimeout: ?\d|(test|hook)Timeout/
  expect(linesWith(tests, sleeps)).toEqual([])
})

test('a test measures no time, which a busy machine stretches', () => {
  expect(linesWith(tests, /\bperformance\.(now|mark|measure)\(|\bprocess\.(hrtime|uptime)\b/)).toEqual([])
})

test('style sheets stay within 400 lines', () => {
  expect(files(/\.css$/).filter((path) => ours.test(path) && textOf(path).split('\n').length > 401)).toEqual([])
})

test('no file names a local path of a machine or a private package registry', () => {
  const texts = files(/\.(ts|tsx|js|mjs|json|md|sql|css|ya?ml)$|(^|\/)\.npmrc$/)
  const machine = /(?<![\w.:/-])\/(work|root|home|Users)\/\w/
  const registry = /https?:\/\/(?!registry\.npmjs\.org)[\w.:-]*(registry|artifactory|nexus|verdaccio|mirror)[\w.:-]*/
  expect(linesWith(texts, new RegExp(`${machine.source}|${registry.source}`))).toEqual([])
})

test('migrations are numbered without a gap', () => {
  const names = files(/^database\/migrations\//)
    .map((path) => path.slice('database/migrations/'.length))
    .sort()
  expect(names.filter((name) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(name))).toEqual([])
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1))
})

function linesWith(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => {
    const lines = textOf(path).split('\n')
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
  })
}

test('sizes of text and corners are those of the scale in tokens.css', () => {
  const allowed = /^(font-size: (var\(--text-\w+\)|inherit|[\d.]+em)|border-radius: ((var\(--radius-\w+\)|50%|20%|0) ?)+)$/
  const sizes = files(/\.css$/).flatMap((path) =>
    [...textOf(path).matchAll(/\b(?:font-size|border-radius): [^;]+/g)].map(([one]) => ({ path, one })),
  )
  expect(sizes.length).toBeGreaterThan(400)
  expect(sizes.filter(({ one }) => !allowed.test(one))).toEqual([])
})
