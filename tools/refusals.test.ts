import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { allWords, program, textOf } from './repository.ts'
import { folderOf } from '../features/order.js'

const sources = program().map((path) => ({ path, text: textOf(path) }))
const declared = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/export const (\w+) = refusal\('([\w.]+)'/g)].map(([, name = '', code = '']) => ({ path, name, code })),
)
// Any endpoint may throw those of base.
const ofFeatures = declared.filter(({ code }) => !code.startsWith('base.'))

test('no two refusals have one code', () => {
  const codes = declared.map(({ code }) => code)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})

test('every refusal of a feature is headed by that feature and declared in its contract, or with its part of threads', () => {
  const strays = ofFeatures.filter(({ path, code }) => {
    const folder = folderOf(kebab(code.split('.')[0] ?? ''))
    return path !== `${folder}/contract.ts` && path !== `${folder}/thread-part.ts`
  })
  expect(strays).toEqual([])
})

test('every refusal of a feature is listed by some endpoint', async () => {
  const listed = new Set((await endpoints()).flatMap(({ errors }) => errors.map(({ code }) => code)))
  expect(ofFeatures.filter(({ code }) => !listed.has(code))).toEqual([])
})

test('every refusal is thrown somewhere', () => {
  const server = sources.filter(({ path }) => path.includes('/server/')).map(({ text }) => withoutImports(text))
  const isThrown = (name: string) => server.some((text) => new RegExp(`\\b${name}\\b(?! = refusal)`).test(text))
  expect(declared.filter(({ name }) => !isThrown(name))).toEqual([])
})

test('every refusal, and every code that a schema refuses with, is worded', () => {
  const worded = new Set(allWords().flatMap(({ name, en }) => Object.keys(en).map((key) => `${name}.${key}`)))
  const schemaCodes = sources.flatMap(({ text }) => [...text.matchAll(/params: \{[^}]*\bcode: '([\w.]+)'/g)].map(([, code = '']) => code))
  expect([...declared.map(({ code }) => code), ...schemaCodes].filter((code) => !worded.has(code))).toEqual([])
})

test('no two endpoints share a method and a path', async () => {
  const places = (await endpoints()).map(({ method, path }) => `${method} ${path}`)
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
})

function withoutImports(text: string): string {
  return text.replaceAll(/^import [^']*'[^']*'$/gm, '')
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
