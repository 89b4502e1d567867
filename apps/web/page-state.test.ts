import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeJson } from '#base/escape.ts'
import { dataBlock, stateBlock } from '#apps/web/page-state.ts'

test('the state is the JSON of the same object, with and without answers that are JSON already', () => {
  const json = fc.jsonValue({ depthSize: 'small' }).map((value) => JSON.parse(JSON.stringify(value)))
  const loaded = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(json, fc.dictionary(fc.string(), json)))
  fc.assert(
    fc.property(loaded, (loaderData) => {
      const state = { language: 'en', loaderData: { ...loaderData, '/page': { answer: loaderData, none: undefined } }, errors: null }
      const textOf = (answer: object) => (answer === loaderData ? escapeJson(JSON.stringify(answer)) : undefined)
      expect(stateBlock(state)).toBe(dataBlock(state))
      expect(stateBlock(state, textOf)).toBe(dataBlock(state))
    }),
  )
})

test('no text of a page ends its block of data', () => {
  const block = stateBlock({ language: 'zh', loaderData: { '</script>': ['</script>\u2028'] }, errors: null })
  expect(block).not.toContain('<')
  expect(block).not.toContain('\u2028')
})
